"""Checks the golden vectors in Protos/vectors: encoded bytes and their decoded form.

    vectors.py           checks that the bytes decode to the decoded form and vice versa
    vectors.py --write   encodes every decoded form again and writes the bytes, for new vectors
"""

import json
import pathlib
import sys

from google.protobuf import json_format
from google.rpc import error_details_pb2  # noqa: F401, registers the types of status details
from health.v1 import health_pb2
from todo.v1 import changes_pb2, connection_service_pb2, geocoding_pb2, history_pb2, item_reads_pb2, item_writes_pb2
from todo.v1 import items_pb2, lists_pb2, notifications_pb2, positions_pb2, quick_add_pb2, reminders_pb2, server_info_pb2
from ttrpc import ttrpc_pb2

MODULES = (
    changes_pb2, connection_service_pb2, geocoding_pb2, history_pb2, item_reads_pb2, item_writes_pb2, items_pb2,
    lists_pb2, notifications_pb2, positions_pb2, quick_add_pb2, reminders_pb2, server_info_pb2, health_pb2, ttrpc_pb2)
TYPES = {
    message.full_name: getattr(module, name)
    for module in MODULES
    for name, message in module.DESCRIPTOR.message_types_by_name.items()
}
FRAME_TYPES = {"request": 1, "response": 2, "data": 3}
FLAGS = {"remote closed": 1, "remote open": 2, "no data": 4}
folder = pathlib.Path(__file__).resolve().parents[3] / "Protos" / "vectors"


def encode(meaning):
    message = json_format.ParseDict(meaning["json"], TYPES[meaning["message"]]())
    return message.SerializeToString(deterministic=True)


def decode(name, data):
    return json_format.MessageToDict(TYPES[name].FromString(data), preserving_proto_field_name=True)


def encode_frame(vector):
    header, data = vector["frame"], b""
    if "request" in vector:
        meaning = vector["request"]
        request = ttrpc_pb2.Request(
            service=meaning["service"], method=meaning["method"], payload=encode(meaning["payload"]),
            timeout_nano=meaning.get("timeout_nano", 0),
            metadata=[ttrpc_pb2.KeyValue(key=key, value=value) for key, value in meaning.get("metadata", [])])
        data = request.SerializeToString(deterministic=True)
    elif "response" in vector:
        meaning = vector["response"]
        response = ttrpc_pb2.Response(payload=encode(meaning["payload"]) if "payload" in meaning else b"")
        if "status" in meaning:
            json_format.ParseDict(meaning["status"], response.status)
        data = response.SerializeToString(deterministic=True)
    elif "data" in vector:
        data = encode(vector["data"])
    flags = sum(FLAGS[flag] for flag in header["flags"])
    return b"".join((
        len(data).to_bytes(4, "big"), header["stream_id"].to_bytes(4, "big"),
        bytes([FRAME_TYPES[header["type"]], flags]), data))


def decode_frame(vector, frame):
    length, stream_id, kind, flags = frame[:4], frame[4:8], frame[8], frame[9]
    data = frame[10:]
    assert int.from_bytes(length, "big") == len(data)
    meaning = {
        "frame": {
            "stream_id": int.from_bytes(stream_id, "big"),
            "type": next(name for name, number in FRAME_TYPES.items() if number == kind),
            "flags": [name for name, bit in FLAGS.items() if flags & bit],
        }
    }
    if "request" in vector:
        request = ttrpc_pb2.Request.FromString(data)
        name = vector["request"]["payload"]["message"]
        meaning["request"] = {
            "service": request.service, "method": request.method,
            "payload": {"message": name, "json": decode(name, request.payload)},
        }
        if request.timeout_nano:
            meaning["request"]["timeout_nano"] = request.timeout_nano
        if request.metadata:
            meaning["request"]["metadata"] = [[pair.key, pair.value] for pair in request.metadata]
    elif "response" in vector:
        response = ttrpc_pb2.Response.FromString(data)
        meaning["response"] = {}
        if response.HasField("status"):
            meaning["response"]["status"] = json_format.MessageToDict(response.status)
        if "payload" in vector["response"]:
            name = vector["response"]["payload"]["message"]
            meaning["response"]["payload"] = {"message": name, "json": decode(name, response.payload)}
    elif "data" in vector:
        name = vector["data"]["message"]
        meaning["data"] = {"message": name, "json": decode(name, data)}
    return meaning


def main():
    count = 0
    for file, to_bytes, from_bytes in (
        ("messages.json", encode, lambda vector, data: {"message": vector["message"], "json": decode(vector["message"], data)}),
        ("frames.json", encode_frame, decode_frame),
    ):
        path = folder / file
        vectors = json.loads(path.read_text(encoding="utf-8"))
        for vector in vectors:
            data = to_bytes(vector)
            if "--write" in sys.argv:
                vector["hex"] = data.hex()
            if data.hex() != vector["hex"]:
                sys.exit(f"{file}: {vector['name']}: the decoded form encodes to {data.hex()}")
            meaning = {key: value for key, value in vector.items() if key not in ("name", "hex")}
            found = from_bytes(vector, bytes.fromhex(vector["hex"]))
            if found != meaning:
                sys.exit(f"{file}: {vector['name']}: the bytes decode to {json.dumps(found, ensure_ascii=False)}")
            count += 1
        if "--write" in sys.argv:
            path.write_text(json.dumps(vectors, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    print(f"{count} vectors match")


main()
