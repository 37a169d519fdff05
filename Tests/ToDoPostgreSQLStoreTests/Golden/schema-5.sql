CREATE TABLE access_token (
    id bigint NOT NULL,
    user_name text NOT NULL COLLATE pg_catalog."C",
    secret_hash bytea NOT NULL,
    read_only boolean NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint
);
CREATE TABLE change (
    list text NOT NULL COLLATE pg_catalog."C",
    revision bigint NOT NULL,
    id uuid NOT NULL,
    cause smallint,
    "time" bigint NOT NULL,
    was_done boolean NOT NULL,
    changed_by text,
    client text,
    reverted bigint,
    former bytea,
    former_revision bigint,
    size integer NOT NULL
);
CREATE TABLE item (
    list text NOT NULL COLLATE pg_catalog."C",
    id uuid NOT NULL,
    number bigint NOT NULL,
    revision bigint NOT NULL,
    created_at bigint NOT NULL,
    completed_at bigint,
    due_order bigint NOT NULL,
    place bigint,
    hash uuid,
    spot_latitude integer NOT NULL,
    spot_longitude integer NOT NULL,
    added_as bytea,
    deleted_at bigint,
    expires_at bigint,
    content bytea,
    size integer NOT NULL
);
CREATE TABLE list (
    name text NOT NULL COLLATE pg_catalog."C",
    revision bigint NOT NULL,
    floor bigint NOT NULL,
    item_count bigint NOT NULL,
    byte_count bigint NOT NULL,
    last_number bigint NOT NULL,
    access_version bigint DEFAULT 0 NOT NULL
);
CREATE TABLE list_set (
    owner text NOT NULL COLLATE pg_catalog."C",
    version bigint NOT NULL
);
CREATE TABLE pending_lookup (
    list text NOT NULL COLLATE pg_catalog."C",
    id uuid NOT NULL,
    address text NOT NULL,
    attempts integer NOT NULL,
    due bigint NOT NULL
);
CREATE TABLE todo_store (
    "only" boolean DEFAULT true NOT NULL,
    version integer NOT NULL,
    incarnation bytea NOT NULL,
    fingerprint_key bytea NOT NULL,
    account_version bigint DEFAULT 0 NOT NULL,
    list_version bigint DEFAULT 0 NOT NULL,
    CONSTRAINT todo_store_only_check CHECK ("only")
);
CREATE TABLE todo_user (
    name text NOT NULL COLLATE pg_catalog."C",
    list text NOT NULL,
    unix_user bigint,
    certificate_subject text,
    created_at bigint NOT NULL
);
CREATE TABLE user_list (
    owner text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL,
    color text NOT NULL,
    "position" bigint NOT NULL,
    created_at bigint,
    updated_at bigint,
    version bigint NOT NULL,
    deleted_at bigint,
    expires_at bigint,
    created_as text,
    CONSTRAINT user_list_check CHECK (((deleted_at IS NULL) = (expires_at IS NULL)))
);
INSERT INTO access_token VALUES (1, 'ann', '\x2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b', true, 1, 4000000000000000);
INSERT INTO change VALUES ('list of ann', 4, '01900000-0000-7000-0000-0000000000b3', 2, 4, false, 'ann', 'todo/1.0', NULL, '\x010000000000000000000300000004446f6e6500000000000000030000000000000003', 3, 260);
INSERT INTO change VALUES ('list of ann', 5, '01900000-0000-7000-0000-0000000000b4', NULL, 5, false, 'ann', NULL, NULL, '\x010000000000000000000400000004476f6e6500000000000000040000000000000004', 2, 260);
INSERT INTO change VALUES ('list of ann', 6, '01900000-0000-7000-0000-0000000000b1', 1, 6, false, 'ann', NULL, NULL, '\x0100fa000000000000000100000006466f726d657200000000000000010000000000000006000649ce3d40a000000000044e6f7465000000064f66666963650000000d3120486967682053747265657440480ccccccccccd4027000000000000000000096e6f6d696e6174696d01', 1, 390);
INSERT INTO change VALUES ('list:01900000-0000-7000-0000-0000000000a1', 1, '01900000-0000-7000-0000-0000000000b6', 0, 1, false, NULL, NULL, NULL, NULL, NULL, 128);
INSERT INTO item VALUES ('list of ann', '01900000-0000-7000-0000-0000000000b2', 2, 2, 2, NULL, 9223372036854775807, NULL, '00000000-0000-0000-0000-000000000002', 2147483647, 2147483647, NULL, NULL, NULL, '\x010000000000000000000200000005506c61696e00000000000000020000000000000002', 164);
INSERT INTO item VALUES ('list of ann', '01900000-0000-7000-0000-0000000000b3', 3, 4, 3, 4, 9223372036854775807, NULL, '00000000-0000-0000-0000-000000000003', 2147483647, 2147483647, NULL, NULL, NULL, '\x010001000000000000000300000004446f6e65000000000000000300000000000000030000000000000004', 171);
INSERT INTO item VALUES ('list of ann', '01900000-0000-7000-0000-0000000000b4', 4, 5, 4, NULL, 9223372036854775807, NULL, '00000000-0000-0000-0000-000000000004', 2147483647, 2147483647, NULL, 5, 4000000000000000, '\x010000000000000000000400000004476f6e6500000000000000040000000000000004', 163);
INSERT INTO item VALUES ('list of ann', '01900000-0000-7000-0000-0000000000b5', 5, 3, 5, NULL, 9223372036854775807, NULL, '00000000-0000-0000-0000-000000000005', 2147483647, 2147483647, NULL, 3, NULL, NULL, 0);
INSERT INTO item VALUES ('list of ann', '01900000-0000-7000-0000-0000000000b1', 1, 6, 1, NULL, 1770000000000000, 3757135929204424160, '00000000-0000-0000-0000-000000000001', 2147483647, 2147483647, NULL, NULL, NULL, '\x011ffa00000000000000010000000446756c6c00000000000000010000000000000006000649ce3d40a000000000044e6f7465000000064f66666963650000000d3120486967682053747265657440480ccccccccccd4027000000000000000000096e6f6d696e6174696d0100000013657272616e647320776f726b2f757267656e74030000000c0100045061636b000002476f000650b6431540000000002e000701000649ce3d40a00000000000000000004574632f555443465245513d5745454b4c593b42594441593d4d4f', 313);
INSERT INTO item VALUES ('list:01900000-0000-7000-0000-0000000000a1', '01900000-0000-7000-0000-0000000000b6', 1, 1, 1, NULL, 9223372036854775807, NULL, '00000000-0000-0000-0000-000000000006', 2147483647, 2147483647, NULL, NULL, NULL, '\x0100000000000000000001000000065265706f727400000000000000010000000000000001', 134);
INSERT INTO list VALUES ('list of ann', 6, 3, 3, 1500, 5, 3);
INSERT INTO list VALUES ('list:01900000-0000-7000-0000-0000000000a1', 1, 0, 1, 300, 1, 3);
INSERT INTO list_set VALUES ('list of ann', 3);
INSERT INTO pending_lookup VALUES ('list of ann', '01900000-0000-7000-0000-0000000000b1', '1 High Street', 2, 4000000000000000);
INSERT INTO todo_store VALUES (true, 5, '\x7f058897d1e88120', '\x8c7216f9248a7b08244e8feab953a155', 3, 3);
INSERT INTO todo_user VALUES ('ann', 'list of ann', 1000, NULL, 1);
INSERT INTO todo_user VALUES ('bob', 'list of bob', NULL, 'CN=bob', 1);
INSERT INTO todo_user VALUES ('cat', 'list of cat', NULL, NULL, 1);
INSERT INTO user_list VALUES ('list of ann', 'default', 'Eingang', 'none', 0, NULL, 1, 1, NULL, NULL, NULL);
INSERT INTO user_list VALUES ('list of ann', '01900000-0000-7000-0000-0000000000a1', 'Work', 'blue', 7, 1, 1, 2, NULL, NULL, 'blue/Work');
INSERT INTO user_list VALUES ('list of ann', '01900000-0000-7000-0000-0000000000a2', 'Home', 'none', 1, 1, 1, 3, 1770000000000000, 4000000000000000, 'none/Home');
ALTER TABLE ONLY access_token
    ADD CONSTRAINT access_token_pkey PRIMARY KEY (id);
ALTER TABLE ONLY change
    ADD CONSTRAINT change_pkey PRIMARY KEY (list, revision, id);
ALTER TABLE ONLY item
    ADD CONSTRAINT item_pkey PRIMARY KEY (list, id);
ALTER TABLE ONLY list
    ADD CONSTRAINT list_pkey PRIMARY KEY (name);
ALTER TABLE ONLY list_set
    ADD CONSTRAINT list_set_pkey PRIMARY KEY (owner);
ALTER TABLE ONLY pending_lookup
    ADD CONSTRAINT pending_lookup_pkey PRIMARY KEY (list, id);
ALTER TABLE ONLY todo_store
    ADD CONSTRAINT todo_store_pkey PRIMARY KEY ("only");
ALTER TABLE ONLY todo_user
    ADD CONSTRAINT todo_user_certificate_subject_key UNIQUE (certificate_subject);
ALTER TABLE ONLY todo_user
    ADD CONSTRAINT todo_user_pkey PRIMARY KEY (name);
ALTER TABLE ONLY todo_user
    ADD CONSTRAINT todo_user_unix_user_key UNIQUE (unix_user);
ALTER TABLE ONLY user_list
    ADD CONSTRAINT user_list_pkey PRIMARY KEY (owner, id);
CREATE INDEX change_former ON change USING btree (list, id, former_revision) WHERE (former_revision IS NOT NULL);
CREATE INDEX change_item ON change USING btree (list, id, revision);
CREATE INDEX item_created ON item USING btree (list, created_at, id) WHERE (deleted_at IS NULL);
CREATE INDEX item_deleted ON item USING btree (list, revision, id) WHERE (expires_at IS NOT NULL);
CREATE INDEX item_done ON item USING btree (list, completed_at, id) WHERE ((completed_at IS NOT NULL) AND (deleted_at IS NULL));
CREATE INDEX item_duplicate ON item USING btree (list, hash, spot_latitude, spot_longitude) WHERE ((completed_at IS NULL) AND (deleted_at IS NULL));
CREATE INDEX item_expiry ON item USING btree (list, expires_at) WHERE (expires_at IS NOT NULL);
CREATE INDEX item_number ON item USING btree (list, number) WHERE (content IS NOT NULL);
CREATE INDEX item_place ON item USING btree (list, place) WHERE ((place IS NOT NULL) AND (completed_at IS NULL) AND (deleted_at IS NULL));
CREATE INDEX item_reserved ON item USING btree (list, deleted_at) WHERE ((deleted_at IS NOT NULL) AND (content IS NULL));
CREATE INDEX item_to_do ON item USING btree (list, due_order, created_at, id) WHERE ((completed_at IS NULL) AND (deleted_at IS NULL));
CREATE INDEX item_updated ON item USING btree (list, revision, id) WHERE (deleted_at IS NULL);
CREATE INDEX list_set_version ON list_set USING btree (version);
CREATE INDEX pending_lookup_due ON pending_lookup USING btree (due);
CREATE INDEX user_list_expiry ON user_list USING btree (expires_at) WHERE (expires_at IS NOT NULL);
CREATE UNIQUE INDEX user_list_id ON user_list USING btree (id) WHERE (id <> 'default'::text);
