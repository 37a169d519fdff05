#!/usr/bin/env python3
"""Records the JSON of messages as Python's protobuf library writes and reads it, for the tests of ToDoProtobufJSON.

  json_messages.py            writes Tests/ToDoProtobufJSONTests/Messages/messages.tsv and texts.tsv
  json_messages.py --check    writes nothing; fails if the files differ

messages.tsv has random messages of every type that a method has: the type, the wire format in hexadecimal digits, the JSON.
texts.tsv has texts that other programs could send: the type, the text, the wire format, or - if Python rejects the text.

Requires the packages of `.ci/install checks`.
"""

import json
import pathlib
import random
import sys

from google.protobuf import descriptor_pb2, descriptor_pool, json_format, message_factory

ROOT = pathlib.Path(__file__).resolve().parents[3]
FOLDER = ROOT / 'Tests' / 'ToDoProtobufJSONTests' / 'Messages'
TEXTS = ['', 'a', 'Dinner', 'ä', '日本語', '😀', '"quoted"', 'back\\slash', 'a\nb\tc', '\x00', '\x1f', '\x7f', '</script>', '\u2028',
         'x' * 200]
INTEGERS = [0, 1, -1, 127, 128, 300, 2**31 - 1, -2**31, 2**53, 2**53 + 1, 2**63 - 1, -2**63, 2**64 - 1]
DOUBLES = [0.0, 1.0, -1.0, 0.1, 52.520008, -13.404954, 1e-7, 1e300, 5e-324, 1.7976931348623157e308, 100.0, 123456789.0, 1 / 3]
TIMES = [(0, 0), (1, 0), (-1, 0), (-1, 500_000_000), (1_777_450_542, 123_456_789), (1_777_450_542, 120_000), (-62_135_596_800, 0),
         (253_402_300_799, 999_999_999), (951_782_400, 0), (-2_203_891_200, 0)]
PATHS = ['title', 'due_time', 'location.display_name', 'a', 'note', 'wait_time']


def pool():
    """Returns the schema's messages, and the full names of its services."""
    files = descriptor_pb2.FileDescriptorSet.FromString((ROOT / 'Sources' / 'CToDoSchema' / 'schema.binpb').read_bytes())
    messages = descriptor_pool.DescriptorPool()
    for file in files.file:
        messages.Add(file)
    return messages, [f'{file.package}.{service.name}' for file in files.file for service in file.service]


def types(messages, services):
    """Returns the types of the messages of all methods that HTTP serves, and those of error details, in order."""
    found = {}
    for name in services:
        if name.startswith(('todo.v1.', 'grpc.health.')):
            for method in messages.FindServiceByName(name).methods:
                for message in (method.input_type, method.output_type):
                    found[message.full_name] = message
    for name in ('ErrorInfo', 'BadRequest', 'RetryInfo', 'ResourceInfo', 'PreconditionFailure', 'QuotaFailure'):
        try:
            message = messages.FindMessageTypeByName(f'google.rpc.{name}')
            found[message.full_name] = message
        except KeyError:
            pass
    return [found[name] for name in sorted(found)]


def value(field, rng, depth):
    kind = field.cpp_type
    if kind == field.CPPTYPE_MESSAGE:
        return message(field.message_type, rng, depth + 1)
    if kind == field.CPPTYPE_BOOL:
        return rng.random() < 0.5
    if kind == field.CPPTYPE_ENUM:
        # Clients know no value that a later version adds.
        return rng.choice([value.number for value in field.enum_type.values] + [99, -1])
    if kind in (field.CPPTYPE_DOUBLE, field.CPPTYPE_FLOAT):
        return rng.choice(DOUBLES)
    if kind == field.CPPTYPE_STRING:
        return rng.choice(TEXTS)
    signed = kind in (field.CPPTYPE_INT32, field.CPPTYPE_INT64)
    bits = (32 if kind in (field.CPPTYPE_INT32, field.CPPTYPE_UINT32) else 64) - signed
    low, high = -2**bits if signed else 0, 2**bits - 1
    return rng.choice([number for number in INTEGERS if low <= number <= high])


def message(descriptor, rng, depth=0):
    """Returns a random message, whose depth is limited."""
    result = message_factory.GetMessageClass(descriptor)()
    if descriptor.full_name == 'google.protobuf.Timestamp':
        result.seconds, result.nanos = rng.choice(TIMES)
        return result
    if descriptor.full_name == 'google.protobuf.Duration':
        result.seconds, result.nanos = rng.choice([(0, 0), (1, 500_000_000), (-1, -1000), (315_576_000_000, 0)])
        return result
    if descriptor.full_name == 'google.protobuf.FieldMask':
        result.paths.extend(rng.choices(PATHS, k=rng.randrange(4)))
        return result
    for field in descriptor.fields:
        if rng.random() < (0.3 if depth < 4 else 0.9):
            continue
        if field.message_type is not None and field.message_type.GetOptions().map_entry:
            for key in rng.sample(TEXTS, rng.randrange(2)):
                getattr(result, field.name)[key] = rng.choice(TEXTS)
        elif field.is_repeated if hasattr(field, 'is_repeated') else field.label == field.LABEL_REPEATED:
            for _ in range(rng.randrange(4)):
                element = value(field, rng, depth)
                if field.message_type is None:
                    getattr(result, field.name).append(element)
                else:
                    getattr(result, field.name).add().CopyFrom(element)
        elif field.message_type is None:
            setattr(result, field.name, value(field, rng, depth))
        else:
            getattr(result, field.name).CopyFrom(value(field, rng, depth))
    return result


def shortest(tree):
    """Python writes 1.0 for the double 1; both are valid."""
    if isinstance(tree, float) and tree.is_integer() and abs(tree) < 2**53:
        return int(tree)
    if isinstance(tree, dict):
        return {key: shortest(value) for key, value in tree.items()}
    return [shortest(value) for value in tree] if isinstance(tree, list) else tree


def dumped(content):
    return json.dumps(shortest(json_format.MessageToDict(content)), ensure_ascii=False, separators=(',', ':'))


def messages_table(descriptors, count):
    rng = random.Random(1)
    for descriptor in descriptors:
        for _ in range(count):
            content = message(descriptor, rng)
            yield '\t'.join([descriptor.full_name, content.SerializeToString(deterministic=True).hex(), dumped(content)])


# Texts for the fields of AddItemRequest and ListItemsRequest.
VARIANTS = {
    'todo.v1.ListItemsRequest': [
        *(f'{{"pageSize":{text}}}' for text in [
            '1', '"1"', '1.0', '1e2', '100e-2', '-0', '1.5', '2147483647', '2147483648', '"2147483648"', '-2147483648', '""', '" 1"',
            '"1 "', '"+1"', '"0x1"', '01', '1.', '.5', '1e', 'true', 'null', '[]', '{}', '"1e2"', '"1.0"', '1E+2', '-', '1e400', 'NaN']),
        *(f'{{"numbers":[{text}]}}' for text in [
            '1,2', '"1","2"', '', 'null', '1,', ',', '9223372036854775807', '"9223372036854775808"', '1,[2]', '9007199254740993']),
        *(f'{{"state":{text}}}' for text in [
            '"STATE_FILTER_DONE"', '2', '99', '"state_filter_done"', '"DONE"', 'null', 'true', '"2"', '1.0', '2147483648', '-1']),
        '{"pageSize":1,"pageSize":1}', '{"page_size":1}', '{"pageSize":1,"page_size":2}', '{"numbers":5}', '{"numbers":null}',
        '{"filter":null}', '{"filter":{}}', '{"filter":[]}', '{"filter":{"due":{"unset":{},"range":{}}}}',
        '{"filter":{"due":{"unset":null,"range":{}}}}', '{"filter":{"wait":{"time":"2026-01-31T12:00:00.5+01:00"}}}',
        '{"showDeleted":"true"}', '{"showDeleted":true}', '{"showDeleted":1}', '{"showDeleted":false}', '{"text":"\\u00e4\\ud83d\\ude00"}',
        '{"text":1}', '{"text":"a\\/b"}', '{"text":"\\x"}', '{', '', '[]', 'null', '{}x', '{} ', '{"text":"a",}', "{'text':'a'}",
        '{"unknown":{"a":[1,{}]}}', '{"incarnation":1}',
    ],
    'todo.v1.AddItemRequest': [
        *(f'{{"item":{{"createTime":"{text}"}}}}' for text in [
            '2026-01-31T12:00:00Z', '2026-01-31T12:00:00.123456789Z', '2026-01-31T12:00:00+00:00', '2026-01-31T12:00:00-08:00',
            '2026-02-30T12:00:00Z', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z', '2026-01-31T25:00:00Z', '2026-01-31',
            '2026-01-31T12:00:00', '', '1969-12-31T23:59:59.5Z']),
        '{"item":{"createTime":1}}', '{"item":{"createTime":{"seconds":1}}}', '{"item":{"location":{"coordinate":{"latitude":"52.5"}}}}',
        *(f'{{"item":{{"location":{{"coordinate":{{"latitude":{text}}}}}}}}}' for text in [
            '52', '5.2e1', '"NaN"', '"Infinity"', '"-Infinity"', '1e309', '"abc"', 'true', '-0.0', '1e-400']),
        '{"item":{"tags":["a",null]}}', '{"item":{"tags":"a"}}', '{"item":{"tags":["a",1]}}', '{"item":{"steps":[{},{"done":true}]}}',
        '{"item":{"reminders":[{"secondsBefore":"60"}]}}', '{"item":{"reminders":[{"secondsBefore":"60","time":null}]}}',
        '{"item":{"reminders":[{"secondsBefore":"60","place":"PLACE_TRIGGER_ARRIVING"}]}}',
    ],
    'todo.v1.UpdateItemRequest': [
        *(f'{{"updateMask":{text}}}' for text in ['"title,dueTime"', '"due_time"', '""', '{"paths":["title"]}', '"a.bC"', 'null', '[]']),
        '{"ifIncarnation":"18446744073709551615"}', '{"ifIncarnation":-1}', '{"ifIncarnation":"18446744073709551616"}',
    ],
}


def texts_table(messages):
    for name, texts in VARIANTS.items():
        kind = message_factory.GetMessageClass(messages.FindMessageTypeByName(name))
        for text in texts:
            try:
                content = json_format.Parse(text, kind(), ignore_unknown_fields=True)
                wire = content.SerializeToString(deterministic=True).hex()
            except json_format.ParseError:
                wire = '-'
            yield '\t'.join([name, text, wire])


def main(arguments):
    messages, services = pool()
    tables = {'messages.tsv': messages_table(types(messages, services), 6), 'texts.tsv': texts_table(messages)}
    FOLDER.mkdir(exist_ok=True)
    for name, lines in tables.items():
        content = ''.join(line + '\n' for line in lines)
        if arguments != ['--check']:
            (FOLDER / name).write_text(content, encoding='utf-8')
        elif (FOLDER / name).read_text(encoding='utf-8') != content:
            sys.exit(f'{FOLDER / name} is out of date; run Tests/Interop/python/json_messages.py')


if __name__ == '__main__':
    main(sys.argv[1:])
