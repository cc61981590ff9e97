SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;
CREATE SCHEMA kindred_old;
ALTER SCHEMA kindred_old OWNER TO postgres;
CREATE FUNCTION kindred_old.drop_taken_copy() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN DELETE FROM file_copy WHERE sha256(path) = sha256(new.path); IF new.removed_at = 0 THEN DELETE FROM file_copy WHERE document_id = new.id; END IF; RETURN NULL; END $$;
ALTER FUNCTION kindred_old.drop_taken_copy() OWNER TO postgres;
CREATE FUNCTION kindred_old.drop_unused_tag() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN DELETE FROM collection n WHERE n.id IN (SELECT collection_id FROM gone) AND n.kind = 'tag' AND NOT EXISTS (SELECT FROM collected c WHERE c.collection_id = n.id); RETURN NULL; END $$;
ALTER FUNCTION kindred_old.drop_unused_tag() OWNER TO postgres;
CREATE FUNCTION kindred_old.erase_places() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$ BEGIN DELETE FROM "kindred_old".quote WHERE document_id = new.id; DELETE FROM "kindred_old".annotation WHERE document_id = new.id; DELETE FROM "kindred_old".saved_part WHERE key = old.path OR key IN (SELECT path FROM "kindred_old".file_copy WHERE document_id = new.id); RETURN NULL; END $$;
ALTER FUNCTION kindred_old.erase_places() OWNER TO kindred_old_0a6ad99e_eraser;
CREATE FUNCTION kindred_old.erase_words() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$ BEGIN DELETE FROM "kindred_old".judgement WHERE hash = old.hash; DELETE FROM "kindred_old".asked WHERE hash = old.hash; DELETE FROM "kindred_old".saved_search WHERE hash = old.hash; DELETE FROM "kindred_old".pair_mark WHERE hash_a = old.hash OR hash_b = old.hash; RETURN NULL; END $$;
ALTER FUNCTION kindred_old.erase_words() OWNER TO kindred_old_0a6ad99e_eraser;
CREATE FUNCTION kindred_old.give_right(person name, granted text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$ DECLARE each text; BEGIN FOREACH each IN ARRAY ARRAY['reader', 'writer', 'owner'] LOOP IF each = granted THEN EXECUTE format('GRANT %I TO %I', (SELECT roles FROM "kindred_old".meta) || '_' || each, person); ELSE EXECUTE format('REVOKE %I FROM %I', (SELECT roles FROM "kindred_old".meta) || '_' || each, person); END IF; END LOOP; IF EXISTS (SELECT FROM pg_auth_members m JOIN pg_roles r ON r.oid = m.roleid JOIN pg_roles p ON p.oid = m.member WHERE p.rolname = person AND r.rolname IN (SELECT roles || '_' || other FROM "kindred_old".meta, unnest(ARRAY['reader', 'writer', 'owner']) other WHERE other <> granted)) THEN RAISE insufficient_privilege USING MESSAGE = format('a right of %s was given by an administrator', person); END IF; END $$;
ALTER FUNCTION kindred_old.give_right(person name, granted text) OWNER TO postgres;
CREATE FUNCTION kindred_old.tell_documents() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ DECLARE ids text; n bigint; BEGIN IF EXISTS (SELECT FROM changed c JOIN earlier e USING (id) WHERE c.removed_at IS DISTINCT FROM e.removed_at) THEN PERFORM pg_notify(tg_table_schema, 'listing'); RETURN NULL; END IF; SELECT count(*), string_agg(id::text, ',') INTO n, ids FROM (SELECT id FROM changed LIMIT 200) c; IF n >= 200 THEN PERFORM pg_notify(tg_table_schema, 'listing'); RETURN NULL; END IF; IF n > 0 THEN PERFORM pg_notify(tg_table_schema, CASE WHEN EXISTS (SELECT FROM changed c JOIN earlier e USING (id) WHERE c.live_id IS DISTINCT FROM e.live_id OR (c.state = 'ready' AND e.state <> 'ready')) THEN 'sentences ' ELSE 'documents ' END || ids); END IF; RETURN NULL; END $$;
ALTER FUNCTION kindred_old.tell_documents() OWNER TO postgres;
CREATE FUNCTION kindred_old.tell_others() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN PERFORM pg_notify(tg_table_schema, tg_argv[0]); RETURN NULL; END $$;
ALTER FUNCTION kindred_old.tell_others() OWNER TO postgres;
CREATE AGGREGATE kindred_old.join_words(tsvector) (
    SFUNC = tsvector_concat,
    STYPE = tsvector,
    INITCOND = ''
);
ALTER AGGREGATE kindred_old.join_words(tsvector) OWNER TO postgres;
SET default_tablespace = '';
SET default_table_access_method = heap;
CREATE TABLE kindred_old.annotation (
    id bigint NOT NULL,
    owner name DEFAULT CURRENT_USER NOT NULL,
    document_id bigint NOT NULL,
    origin text NOT NULL,
    kind text NOT NULL,
    colour text NOT NULL,
    text text NOT NULL,
    comment text NOT NULL,
    place text NOT NULL,
    author text NOT NULL,
    label text,
    key text NOT NULL,
    created_at double precision NOT NULL,
    changed_at double precision NOT NULL
);
ALTER TABLE ONLY kindred_old.annotation FORCE ROW LEVEL SECURITY;
ALTER TABLE kindred_old.annotation OWNER TO postgres;
ALTER TABLE kindred_old.annotation ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME kindred_old.annotation_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE kindred_old.asked (
    id bigint NOT NULL,
    owner name DEFAULT CURRENT_USER NOT NULL,
    hash bytea NOT NULL,
    text text NOT NULL,
    mode text NOT NULL,
    at double precision NOT NULL
);
ALTER TABLE ONLY kindred_old.asked FORCE ROW LEVEL SECURITY;
ALTER TABLE kindred_old.asked OWNER TO postgres;
ALTER TABLE kindred_old.asked ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME kindred_old.asked_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE kindred_old.cluster (
    id bigint NOT NULL,
    name text NOT NULL,
    members bytea NOT NULL,
    own_name boolean NOT NULL,
    pinned boolean NOT NULL,
    dormant boolean NOT NULL,
    keywords text NOT NULL,
    closeness bytea NOT NULL,
    keys integer NOT NULL,
    broad bigint
);
ALTER TABLE kindred_old.cluster OWNER TO postgres;
ALTER TABLE kindred_old.cluster ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME kindred_old.cluster_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE kindred_old.collected (
    collection_id bigint NOT NULL,
    document_id bigint NOT NULL
);
ALTER TABLE kindred_old.collected OWNER TO postgres;
CREATE TABLE kindred_old.collection (
    id bigint NOT NULL,
    kind text NOT NULL,
    name text NOT NULL,
    folded text NOT NULL
);
ALTER TABLE kindred_old.collection OWNER TO postgres;
ALTER TABLE kindred_old.collection ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME kindred_old.collection_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE kindred_old.correction (
    id bigint NOT NULL,
    document_id bigint NOT NULL,
    action text NOT NULL,
    hash bytea NOT NULL,
    next_hash bytea,
    at integer,
    kind text
);
ALTER TABLE kindred_old.correction OWNER TO postgres;
ALTER TABLE kindred_old.correction ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME kindred_old.correction_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE kindred_old.cut (
    version_id bigint NOT NULL,
    nth integer NOT NULL,
    ordinal bigint NOT NULL,
    count bigint NOT NULL,
    originals text NOT NULL
);
ALTER TABLE kindred_old.cut OWNER TO postgres;
CREATE TABLE kindred_old.document (
    id bigint NOT NULL,
    path bytea NOT NULL,
    path_folded text NOT NULL,
    name bytea NOT NULL,
    name_folded text NOT NULL,
    own_title text DEFAULT ''::text NOT NULL,
    own_title_folded text DEFAULT ''::text NOT NULL,
    state text NOT NULL,
    reason text,
    message text DEFAULT ''::text NOT NULL,
    size_bytes bigint NOT NULL,
    mtime_ns bigint NOT NULL,
    added_at double precision NOT NULL,
    removed_at double precision,
    live_id bigint,
    building_id bigint,
    sentences bigint DEFAULT 0 NOT NULL,
    ocr text DEFAULT ''::text NOT NULL,
    volume bytea DEFAULT '\x'::bytea NOT NULL,
    stamp bigint DEFAULT 0 NOT NULL,
    worker integer DEFAULT 0 NOT NULL
);
ALTER TABLE kindred_old.document OWNER TO postgres;
ALTER TABLE kindred_old.document ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME kindred_old.document_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE kindred_old.file_copy (
    id bigint NOT NULL,
    path bytea NOT NULL,
    path_folded text NOT NULL,
    name bytea NOT NULL,
    document_id bigint NOT NULL,
    size_bytes bigint NOT NULL,
    mtime_ns bigint NOT NULL,
    stamp bigint NOT NULL,
    volume bytea DEFAULT '\x'::bytea NOT NULL,
    added_at double precision NOT NULL
);
ALTER TABLE kindred_old.file_copy OWNER TO postgres;
ALTER TABLE kindred_old.file_copy ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME kindred_old.file_copy_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE kindred_old.home (
    machine text NOT NULL,
    path bytea NOT NULL
);
ALTER TABLE kindred_old.home OWNER TO postgres;
CREATE TABLE kindred_old.judgement (
    id bigint NOT NULL,
    owner name DEFAULT CURRENT_USER NOT NULL,
    hash bytea NOT NULL,
    query text NOT NULL,
    sentence_id bigint NOT NULL,
    is_relevant boolean NOT NULL,
    at double precision NOT NULL
);
ALTER TABLE ONLY kindred_old.judgement FORCE ROW LEVEL SECURITY;
ALTER TABLE kindred_old.judgement OWNER TO postgres;
ALTER TABLE kindred_old.judgement ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME kindred_old.judgement_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE kindred_old.look (
    model_id bigint NOT NULL,
    granularity double precision NOT NULL,
    is_chosen boolean NOT NULL,
    min_size integer NOT NULL,
    seen bigint NOT NULL,
    new_after bigint NOT NULL
);
ALTER TABLE kindred_old.look OWNER TO postgres;
CREATE TABLE kindred_old.loose (
    sentence_id bigint NOT NULL
);
ALTER TABLE kindred_old.loose OWNER TO postgres;
CREATE TABLE kindred_old.map (
    model_id bigint NOT NULL,
    members bytea NOT NULL,
    places bytea NOT NULL
);
ALTER TABLE kindred_old.map OWNER TO postgres;
CREATE TABLE kindred_old.meta (
    version integer NOT NULL,
    roles text NOT NULL,
    identity text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);
ALTER TABLE kindred_old.meta OWNER TO postgres;
CREATE TABLE kindred_old.model (
    id bigint NOT NULL,
    fingerprint text NOT NULL,
    name text NOT NULL,
    dim integer NOT NULL,
    max_length integer NOT NULL,
    pooling text NOT NULL,
    normalised boolean NOT NULL,
    folder text NOT NULL,
    current boolean DEFAULT false NOT NULL,
    switching text DEFAULT ''::text NOT NULL,
    previous boolean DEFAULT false NOT NULL,
    ef_search integer DEFAULT 100 NOT NULL,
    recall double precision,
    recall_queries integer DEFAULT 0 NOT NULL,
    recall_vectors bigint DEFAULT 0 NOT NULL
);
ALTER TABLE kindred_old.model OWNER TO postgres;
CREATE TABLE kindred_old.model_file (
    model_id bigint NOT NULL,
    name text NOT NULL,
    size_bytes bigint NOT NULL,
    sha256 bytea NOT NULL,
    is_whole boolean DEFAULT false NOT NULL
);
ALTER TABLE kindred_old.model_file OWNER TO postgres;
ALTER TABLE kindred_old.model ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME kindred_old.model_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE kindred_old.model_piece (
    model_id bigint NOT NULL,
    name text NOT NULL,
    number integer NOT NULL,
    content bytea NOT NULL
);
ALTER TABLE ONLY kindred_old.model_piece ALTER COLUMN content SET STORAGE EXTERNAL;
ALTER TABLE kindred_old.model_piece OWNER TO postgres;
CREATE TABLE kindred_old.neighbour (
    sentence_id bigint NOT NULL,
    model_id bigint NOT NULL,
    near bytea NOT NULL
);
ALTER TABLE kindred_old.neighbour OWNER TO postgres;
CREATE TABLE kindred_old.occurrence (
    version_id bigint NOT NULL,
    ordinal bigint NOT NULL,
    sentence_id bigint NOT NULL,
    paragraph bigint NOT NULL,
    kind text NOT NULL,
    page integer,
    start bigint NOT NULL,
    stop bigint NOT NULL,
    unit text NOT NULL,
    more text,
    line bigint,
    last_line bigint,
    passage text,
    reason text
);
ALTER TABLE kindred_old.occurrence OWNER TO postgres;
CREATE TABLE kindred_old.page (
    version_id bigint NOT NULL,
    page integer NOT NULL,
    label text,
    state text,
    engine text,
    quality double precision
);
ALTER TABLE kindred_old.page OWNER TO postgres;
CREATE TABLE kindred_old.pair_mark (
    owner name DEFAULT CURRENT_USER NOT NULL,
    hash_a bytea NOT NULL,
    hash_b bytea NOT NULL,
    text_a text NOT NULL,
    text_b text NOT NULL,
    reviewed boolean NOT NULL,
    same boolean,
    marked_at double precision NOT NULL
);
ALTER TABLE ONLY kindred_old.pair_mark FORCE ROW LEVEL SECURITY;
ALTER TABLE kindred_old.pair_mark OWNER TO postgres;
CREATE TABLE kindred_old.part (
    model_id bigint NOT NULL,
    number integer NOT NULL,
    modulus bigint NOT NULL,
    remainder bigint NOT NULL
);
ALTER TABLE kindred_old.part OWNER TO postgres;
CREATE TABLE kindred_old.passage (
    id bigint NOT NULL,
    version_id bigint NOT NULL,
    first bigint NOT NULL,
    words tsvector NOT NULL,
    size integer NOT NULL
);
ALTER TABLE kindred_old.passage OWNER TO postgres;
ALTER TABLE kindred_old.passage ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME kindred_old.passage_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE kindred_old.quote (
    id bigint NOT NULL,
    owner name DEFAULT CURRENT_USER NOT NULL,
    document_id bigint NOT NULL,
    ordinal bigint NOT NULL,
    hash bytea NOT NULL,
    text text NOT NULL,
    page integer,
    start bigint NOT NULL,
    stop bigint NOT NULL,
    unit text NOT NULL,
    label text,
    at double precision NOT NULL
);
ALTER TABLE ONLY kindred_old.quote FORCE ROW LEVEL SECURITY;
ALTER TABLE kindred_old.quote OWNER TO postgres;
ALTER TABLE kindred_old.quote ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME kindred_old.quote_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE kindred_old.recognised (
    version_id bigint NOT NULL,
    page integer NOT NULL,
    text text NOT NULL,
    words bytea NOT NULL
);
ALTER TABLE kindred_old.recognised OWNER TO postgres;
CREATE TABLE kindred_old.reference (
    document_id bigint NOT NULL,
    author text NOT NULL,
    author_folded text NOT NULL,
    dated text NOT NULL,
    item text NOT NULL
);
ALTER TABLE kindred_old.reference OWNER TO postgres;
CREATE TABLE kindred_old.saved_part (
    id bigint NOT NULL,
    owner name DEFAULT CURRENT_USER NOT NULL,
    search_id bigint NOT NULL,
    kind text NOT NULL,
    key bytea NOT NULL,
    name text NOT NULL
);
ALTER TABLE ONLY kindred_old.saved_part FORCE ROW LEVEL SECURITY;
ALTER TABLE kindred_old.saved_part OWNER TO postgres;
ALTER TABLE kindred_old.saved_part ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME kindred_old.saved_part_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE kindred_old.saved_search (
    id bigint NOT NULL,
    owner name DEFAULT CURRENT_USER NOT NULL,
    name text NOT NULL,
    name_hash bytea NOT NULL,
    folded text NOT NULL,
    hash bytea NOT NULL,
    text text NOT NULL,
    mode text NOT NULL,
    min_score double precision NOT NULL
);
ALTER TABLE ONLY kindred_old.saved_search FORCE ROW LEVEL SECURITY;
ALTER TABLE kindred_old.saved_search OWNER TO postgres;
ALTER TABLE kindred_old.saved_search ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME kindred_old.saved_search_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE kindred_old.sentence (
    id bigint NOT NULL,
    hash bytea NOT NULL,
    text text NOT NULL,
    words tsvector NOT NULL,
    size integer NOT NULL
);
ALTER TABLE kindred_old.sentence OWNER TO postgres;
ALTER TABLE kindred_old.sentence ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME kindred_old.sentence_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE kindred_old.state (
    name text NOT NULL,
    value bigint NOT NULL
);
ALTER TABLE kindred_old.state OWNER TO postgres;
CREATE TABLE kindred_old.tally (
    name text NOT NULL,
    change bigint NOT NULL
);
ALTER TABLE kindred_old.tally OWNER TO postgres;
CREATE TABLE kindred_old.total_1 (
    version_id bigint NOT NULL,
    sentences bigint NOT NULL,
    vector public.vector(32) NOT NULL
);
ALTER TABLE kindred_old.total_1 OWNER TO kindred_old_0a6ad99e_writer;
CREATE TABLE kindred_old.truncated (
    model_id bigint NOT NULL,
    sentence_id bigint NOT NULL
);
ALTER TABLE kindred_old.truncated OWNER TO postgres;
CREATE TABLE kindred_old.unlisted (
    machine text NOT NULL,
    path bytea NOT NULL,
    force boolean NOT NULL
);
ALTER TABLE kindred_old.unlisted OWNER TO postgres;
CREATE TABLE kindred_old.vector_1 (
    part integer NOT NULL,
    sentence_id bigint NOT NULL,
    vector public.vector(32) NOT NULL,
    checksum bigint NOT NULL
)
PARTITION BY LIST (part);
ALTER TABLE kindred_old.vector_1 OWNER TO kindred_old_0a6ad99e_writer;
CREATE TABLE kindred_old.vector_1_0 (
    part integer NOT NULL,
    sentence_id bigint NOT NULL,
    vector public.vector(32) NOT NULL,
    checksum bigint NOT NULL
);
ALTER TABLE kindred_old.vector_1_0 OWNER TO kindred_old_0a6ad99e_writer;
CREATE TABLE kindred_old.version (
    id bigint NOT NULL,
    document_id bigint NOT NULL,
    content_hash text,
    type text NOT NULL,
    title text NOT NULL,
    title_folded text NOT NULL,
    author text NOT NULL,
    author_folded text NOT NULL,
    page_count integer,
    encoding text,
    outline text NOT NULL,
    warnings text DEFAULT '[]'::text NOT NULL,
    sentences bigint DEFAULT 0 NOT NULL,
    truncated bigint DEFAULT 0 NOT NULL,
    omitted text DEFAULT ''::text NOT NULL,
    decided integer DEFAULT 0 NOT NULL,
    dated text,
    about text,
    language text DEFAULT ''::text NOT NULL,
    sampled integer DEFAULT 0 NOT NULL
);
ALTER TABLE kindred_old.version OWNER TO postgres;
ALTER TABLE kindred_old.version ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME kindred_old.version_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE kindred_old.watched (
    machine text NOT NULL,
    path bytea NOT NULL,
    include text NOT NULL,
    exclude text NOT NULL
);
ALTER TABLE kindred_old.watched OWNER TO postgres;
CREATE SEQUENCE kindred_old.worker
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE kindred_old.worker OWNER TO postgres;
ALTER TABLE ONLY kindred_old.vector_1 ATTACH PARTITION kindred_old.vector_1_0 FOR VALUES IN (0);
INSERT INTO kindred_old.asked VALUES (1, 'kindred_fixture_anna', '\x8c24f5f0b4cf9215f465d7038d67761a', 'brewing', 'both', 1795941742.3431563);
INSERT INTO kindred_old.collected VALUES (1, 1);
INSERT INTO kindred_old.collection VALUES (1, 'tag', 'unread', 'unread');
INSERT INTO kindred_old.document VALUES (1, '\x2f7061706572732f7465612e747874', '/papers/tea.txt', '\x7465612e747874', 'tea.txt', '', '', 'ready', NULL, '', 100, 1, 1795941741.9116478, NULL, 1, NULL, 2, '', '\x', 0, 0);
INSERT INTO kindred_old.judgement VALUES (1, 'kindred_fixture_anna', '\x8c24f5f0b4cf9215f465d7038d67761a', 'brewing', 1, true, 1795941742.6592417);
INSERT INTO kindred_old.meta VALUES (1007, 'kindred_old_0a6ad99e', '81d10c5d226bac7d', '2026-11-29 08:42:21.809398+00');
INSERT INTO kindred_old.model VALUES (1, 'f1', 'made', 32, 128, 'mean', true, '', true, '', false, 100, NULL, 0, 0);
INSERT INTO kindred_old.occurrence VALUES (1, 0, 2, 0, 'body', 1, 0, 36, 'pdfium', NULL, NULL, NULL, NULL, NULL);
INSERT INTO kindred_old.occurrence VALUES (1, 1, 1, 0, 'body', 1, 100, 146, 'pdfium', NULL, NULL, NULL, NULL, NULL);
INSERT INTO kindred_old.passage VALUES (1, 1, 0, '''a'':8 ''boil'':7 ''brew'':15 ''clai'':11 ''for'':2 ''green'':3 ''in'':16 ''it'':17 ''not'':6 ''of'':10 ''pot'':9 ''rememb'':12 ''should'':5 ''tea'':4 ''wa'':14 ''water'':1 ''what'':13', 17);
INSERT INTO kindred_old.saved_search VALUES (1, 'kindred_fixture_anna', 'Pots', '\x4a1ea74ae887f57d652ec02e1cedfe8c', 'pots', '\xfc902a82e6f41258ec7628e5b31f87a6', 'clay pot', 'meaning', -1);
INSERT INTO kindred_old.sentence VALUES (1, '\x0f3eb33d8bcdd39bdfa705c72ae80997', 'A pot of clay remembers what was brewed in it.', '''a'':1 ''brew'':8 ''clai'':4 ''in'':9 ''it'':10 ''of'':3 ''pot'':2 ''rememb'':5 ''wa'':7 ''what'':6', 10);
INSERT INTO kindred_old.sentence VALUES (2, '\x54039bed79e889be7068b57e78617ac0', 'Water for green tea should not boil.', '''boil'':7 ''for'':2 ''green'':3 ''not'':6 ''should'':5 ''tea'':4 ''water'':1', 7);
INSERT INTO kindred_old.tally VALUES ('sentences', 2);
INSERT INTO kindred_old.tally VALUES ('terms', 17);
INSERT INTO kindred_old.tally VALUES ('vectors.1', 2);
INSERT INTO kindred_old.total_1 VALUES (1, 2, '[-0.0015182495,0.070892334,-0.14953613,0.60827637,-0.2701416,-0.043029785,-0.088974,-0.1211853,0.05517578,0.20433044,0.31970215,0.3824463,-0.18118286,0.13566208,-0.2062645,0.118896484,0.1993103,0.20625305,-0.34503174,-0.61157227,0.15786743,-0.19070435,0.15777588,0.37322998,-0.15637207,0.01171875,0.0012207031,-0.028320312,0.024414062,0.29159546,-0.1640625,-0.01621437]');
INSERT INTO kindred_old.vector_1_0 VALUES (0, 1, '[0.01008606,0.057800293,-0.28979492,0.19567871,0.10095215,0.11810303,0.030838013,-0.09161377,0.15209961,0.1772461,-0.021606445,0.2355957,-0.14257812,-0.006427765,-0.0076560974,0.48364258,0.048309326,-0.018600464,-0.07086182,-0.40161133,0.11834717,-0.13085938,0.20947266,0.26123047,-0.02319336,-0.044311523,0.10986328,0.10107422,0.17810059,0.25708008,-0.20202637,-0.018447876]', 2548319982);
INSERT INTO kindred_old.vector_1_0 VALUES (0, 2, '[-0.011604309,0.013092041,0.14025879,0.41259766,-0.37109375,-0.16113281,-0.11981201,-0.029571533,-0.09692383,0.02708435,0.3413086,0.14685059,-0.038604736,0.14208984,-0.1986084,-0.3647461,0.15100098,0.22485352,-0.27416992,-0.20996094,0.039520264,-0.05984497,-0.051696777,0.11199951,-0.13317871,0.056030273,-0.10864258,-0.12939453,-0.15368652,0.03451538,0.037963867,0.0022335052]', 284669445);
INSERT INTO kindred_old.version VALUES (1, 1, '05bec5590db4e086606bd535b1420cc5d4eb4037c0ef08d43b483917bff16c65', 'text', '', '', '', '', NULL, NULL, '[]', '[]', 2, 0, '', 4, '', '', 'en', 2);
SELECT pg_catalog.setval('kindred_old.annotation_id_seq', 1, false);
SELECT pg_catalog.setval('kindred_old.asked_id_seq', 1, true);
SELECT pg_catalog.setval('kindred_old.cluster_id_seq', 1, false);
SELECT pg_catalog.setval('kindred_old.collection_id_seq', 1, true);
SELECT pg_catalog.setval('kindred_old.correction_id_seq', 1, false);
SELECT pg_catalog.setval('kindred_old.document_id_seq', 1, true);
SELECT pg_catalog.setval('kindred_old.file_copy_id_seq', 1, false);
SELECT pg_catalog.setval('kindred_old.judgement_id_seq', 1, true);
SELECT pg_catalog.setval('kindred_old.model_id_seq', 1, true);
SELECT pg_catalog.setval('kindred_old.passage_id_seq', 1, true);
SELECT pg_catalog.setval('kindred_old.quote_id_seq', 1, false);
SELECT pg_catalog.setval('kindred_old.saved_part_id_seq', 1, false);
SELECT pg_catalog.setval('kindred_old.saved_search_id_seq', 1, true);
SELECT pg_catalog.setval('kindred_old.sentence_id_seq', 2, true);
SELECT pg_catalog.setval('kindred_old.version_id_seq', 1, true);
SELECT pg_catalog.setval('kindred_old.worker', 1, true);
ALTER TABLE ONLY kindred_old.annotation
    ADD CONSTRAINT annotation_pkey PRIMARY KEY (id);
ALTER TABLE ONLY kindred_old.asked
    ADD CONSTRAINT asked_owner_hash_key UNIQUE (owner, hash);
ALTER TABLE ONLY kindred_old.asked
    ADD CONSTRAINT asked_pkey PRIMARY KEY (id);
ALTER TABLE ONLY kindred_old.cluster
    ADD CONSTRAINT cluster_pkey PRIMARY KEY (id);
ALTER TABLE ONLY kindred_old.collected
    ADD CONSTRAINT collected_pkey PRIMARY KEY (collection_id, document_id);
ALTER TABLE ONLY kindred_old.collection
    ADD CONSTRAINT collection_kind_folded_key UNIQUE (kind, folded);
ALTER TABLE ONLY kindred_old.collection
    ADD CONSTRAINT collection_pkey PRIMARY KEY (id);
ALTER TABLE ONLY kindred_old.correction
    ADD CONSTRAINT correction_pkey PRIMARY KEY (id);
ALTER TABLE ONLY kindred_old.cut
    ADD CONSTRAINT cut_pkey PRIMARY KEY (version_id, nth);
ALTER TABLE ONLY kindred_old.document
    ADD CONSTRAINT document_pkey PRIMARY KEY (id);
ALTER TABLE ONLY kindred_old.file_copy
    ADD CONSTRAINT file_copy_pkey PRIMARY KEY (id);
ALTER TABLE ONLY kindred_old.home
    ADD CONSTRAINT home_pkey PRIMARY KEY (machine);
ALTER TABLE ONLY kindred_old.judgement
    ADD CONSTRAINT judgement_owner_hash_sentence_id_key UNIQUE (owner, hash, sentence_id);
ALTER TABLE ONLY kindred_old.judgement
    ADD CONSTRAINT judgement_pkey PRIMARY KEY (id);
ALTER TABLE ONLY kindred_old.look
    ADD CONSTRAINT look_pkey PRIMARY KEY (model_id);
ALTER TABLE ONLY kindred_old.loose
    ADD CONSTRAINT loose_pkey PRIMARY KEY (sentence_id);
ALTER TABLE ONLY kindred_old.map
    ADD CONSTRAINT map_pkey PRIMARY KEY (model_id);
ALTER TABLE ONLY kindred_old.model_file
    ADD CONSTRAINT model_file_pkey PRIMARY KEY (model_id, name);
ALTER TABLE ONLY kindred_old.model
    ADD CONSTRAINT model_fingerprint_key UNIQUE (fingerprint);
ALTER TABLE ONLY kindred_old.model_piece
    ADD CONSTRAINT model_piece_pkey PRIMARY KEY (model_id, name, number);
ALTER TABLE ONLY kindred_old.model
    ADD CONSTRAINT model_pkey PRIMARY KEY (id);
ALTER TABLE ONLY kindred_old.neighbour
    ADD CONSTRAINT neighbour_pkey PRIMARY KEY (sentence_id);
ALTER TABLE ONLY kindred_old.occurrence
    ADD CONSTRAINT occurrence_pkey PRIMARY KEY (version_id, ordinal);
ALTER TABLE ONLY kindred_old.page
    ADD CONSTRAINT page_pkey PRIMARY KEY (version_id, page);
ALTER TABLE ONLY kindred_old.pair_mark
    ADD CONSTRAINT pair_mark_pkey PRIMARY KEY (owner, hash_a, hash_b);
ALTER TABLE ONLY kindred_old.part
    ADD CONSTRAINT part_pkey PRIMARY KEY (model_id, number);
ALTER TABLE ONLY kindred_old.passage
    ADD CONSTRAINT passage_pkey PRIMARY KEY (id);
ALTER TABLE ONLY kindred_old.passage
    ADD CONSTRAINT passage_version_id_first_key UNIQUE (version_id, first);
ALTER TABLE ONLY kindred_old.quote
    ADD CONSTRAINT quote_owner_document_id_ordinal_hash_key UNIQUE (owner, document_id, ordinal, hash);
ALTER TABLE ONLY kindred_old.quote
    ADD CONSTRAINT quote_pkey PRIMARY KEY (id);
ALTER TABLE ONLY kindred_old.recognised
    ADD CONSTRAINT recognised_pkey PRIMARY KEY (version_id, page);
ALTER TABLE ONLY kindred_old.reference
    ADD CONSTRAINT reference_pkey PRIMARY KEY (document_id);
ALTER TABLE ONLY kindred_old.saved_part
    ADD CONSTRAINT saved_part_pkey PRIMARY KEY (id);
ALTER TABLE ONLY kindred_old.saved_search
    ADD CONSTRAINT saved_search_owner_name_hash_key UNIQUE (owner, name_hash);
ALTER TABLE ONLY kindred_old.saved_search
    ADD CONSTRAINT saved_search_pkey PRIMARY KEY (id);
ALTER TABLE ONLY kindred_old.sentence
    ADD CONSTRAINT sentence_hash_key UNIQUE (hash);
ALTER TABLE ONLY kindred_old.sentence
    ADD CONSTRAINT sentence_pkey PRIMARY KEY (id);
ALTER TABLE ONLY kindred_old.state
    ADD CONSTRAINT state_pkey PRIMARY KEY (name);
ALTER TABLE ONLY kindred_old.total_1
    ADD CONSTRAINT total_1_pkey PRIMARY KEY (version_id);
ALTER TABLE ONLY kindred_old.truncated
    ADD CONSTRAINT truncated_pkey PRIMARY KEY (model_id, sentence_id);
ALTER TABLE ONLY kindred_old.unlisted
    ADD CONSTRAINT unlisted_pkey PRIMARY KEY (machine, path);
ALTER TABLE ONLY kindred_old.vector_1_0
    ADD CONSTRAINT vector_1_0_pkey PRIMARY KEY (sentence_id);
ALTER TABLE ONLY kindred_old.version
    ADD CONSTRAINT version_pkey PRIMARY KEY (id);
ALTER TABLE ONLY kindred_old.watched
    ADD CONSTRAINT watched_pkey PRIMARY KEY (machine, path);
CREATE INDEX annotation_document ON kindred_old.annotation USING btree (document_id);
CREATE INDEX asked_hash ON kindred_old.asked USING btree (hash);
CREATE INDEX collected_document ON kindred_old.collected USING btree (document_id);
CREATE INDEX correction_document ON kindred_old.correction USING btree (document_id);
CREATE INDEX document_below ON kindred_old.document USING btree (SUBSTRING(path FROM 1 FOR 500));
CREATE UNIQUE INDEX document_live ON kindred_old.document USING btree (live_id);
CREATE INDEX document_name ON kindred_old.document USING hash (name);
CREATE UNIQUE INDEX document_path ON kindred_old.document USING btree (sha256(path));
CREATE INDEX document_removed ON kindred_old.document USING btree (removed_at) WHERE (removed_at IS NOT NULL);
CREATE INDEX document_size ON kindred_old.document USING btree (size_bytes);
CREATE INDEX document_state ON kindred_old.document USING btree (state, id);
CREATE INDEX document_unfinished ON kindred_old.document USING btree (id) WHERE (building_id IS NOT NULL);
CREATE INDEX file_copy_below ON kindred_old.file_copy USING btree (SUBSTRING(path FROM 1 FOR 500));
CREATE INDEX file_copy_document ON kindred_old.file_copy USING btree (document_id);
CREATE INDEX file_copy_name ON kindred_old.file_copy USING hash (name);
CREATE UNIQUE INDEX file_copy_path ON kindred_old.file_copy USING btree (sha256(path));
CREATE INDEX judgement_hash ON kindred_old.judgement USING btree (hash);
CREATE INDEX judgement_sentence ON kindred_old.judgement USING btree (sentence_id);
CREATE INDEX occurrence_sentence ON kindred_old.occurrence USING btree (sentence_id);
CREATE INDEX pair_mark_first ON kindred_old.pair_mark USING btree (hash_a);
CREATE INDEX pair_mark_other ON kindred_old.pair_mark USING btree (hash_b);
CREATE INDEX passage_words ON kindred_old.passage USING gin (words);
CREATE INDEX saved_part_key ON kindred_old.saved_part USING hash (key);
CREATE INDEX saved_part_search ON kindred_old.saved_part USING btree (search_id);
CREATE INDEX saved_search_hash ON kindred_old.saved_search USING btree (hash);
CREATE INDEX sentence_words ON kindred_old.sentence USING gin (words);
CREATE INDEX truncated_sentence ON kindred_old.truncated USING btree (sentence_id);
CREATE INDEX version_document ON kindred_old.version USING btree (document_id);
CREATE TRIGGER document_erased AFTER UPDATE OF path ON kindred_old.document FOR EACH ROW WHEN ((new.removed_at = (0)::double precision)) EXECUTE FUNCTION kindred_old.erase_places();
CREATE TRIGGER file_copy_taken AFTER INSERT OR UPDATE OF path ON kindred_old.document FOR EACH ROW EXECUTE FUNCTION kindred_old.drop_taken_copy();
CREATE TRIGGER sentence_erased AFTER DELETE ON kindred_old.sentence FOR EACH ROW EXECUTE FUNCTION kindred_old.erase_words();
CREATE TRIGGER tag_erased AFTER DELETE ON kindred_old.collected REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION kindred_old.drop_unused_tag();
CREATE TRIGGER tell AFTER INSERT OR DELETE ON kindred_old.collected FOR EACH STATEMENT EXECUTE FUNCTION kindred_old.tell_others('collections');
CREATE TRIGGER tell AFTER INSERT OR DELETE OR UPDATE ON kindred_old.collection FOR EACH STATEMENT EXECUTE FUNCTION kindred_old.tell_others('collections');
CREATE TRIGGER tell AFTER INSERT OR DELETE ON kindred_old.document FOR EACH STATEMENT EXECUTE FUNCTION kindred_old.tell_others('listing');
CREATE TRIGGER tell AFTER UPDATE ON kindred_old.model FOR EACH STATEMENT EXECUTE FUNCTION kindred_old.tell_others('encoder');
CREATE TRIGGER tell AFTER INSERT OR DELETE OR UPDATE ON kindred_old.reference FOR EACH STATEMENT EXECUTE FUNCTION kindred_old.tell_others('listing');
CREATE TRIGGER tell_changed AFTER UPDATE ON kindred_old.document REFERENCING OLD TABLE AS earlier NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION kindred_old.tell_documents();
ALTER TABLE ONLY kindred_old.annotation
    ADD CONSTRAINT annotation_document_id_fkey FOREIGN KEY (document_id) REFERENCES kindred_old.document(id) ON DELETE CASCADE;
ALTER TABLE ONLY kindred_old.collected
    ADD CONSTRAINT collected_collection_id_fkey FOREIGN KEY (collection_id) REFERENCES kindred_old.collection(id) ON DELETE CASCADE;
ALTER TABLE ONLY kindred_old.collected
    ADD CONSTRAINT collected_document_id_fkey FOREIGN KEY (document_id) REFERENCES kindred_old.document(id) ON DELETE CASCADE;
ALTER TABLE ONLY kindred_old.correction
    ADD CONSTRAINT correction_document_id_fkey FOREIGN KEY (document_id) REFERENCES kindred_old.document(id) ON DELETE CASCADE;
ALTER TABLE ONLY kindred_old.cut
    ADD CONSTRAINT cut_version_id_fkey FOREIGN KEY (version_id) REFERENCES kindred_old.version(id) ON DELETE CASCADE;
ALTER TABLE ONLY kindred_old.file_copy
    ADD CONSTRAINT file_copy_document_id_fkey FOREIGN KEY (document_id) REFERENCES kindred_old.document(id) ON DELETE CASCADE;
ALTER TABLE ONLY kindred_old.judgement
    ADD CONSTRAINT judgement_sentence_id_fkey FOREIGN KEY (sentence_id) REFERENCES kindred_old.sentence(id) ON DELETE CASCADE;
ALTER TABLE ONLY kindred_old.look
    ADD CONSTRAINT look_model_id_fkey FOREIGN KEY (model_id) REFERENCES kindred_old.model(id) ON DELETE CASCADE;
ALTER TABLE ONLY kindred_old.loose
    ADD CONSTRAINT loose_sentence_id_fkey FOREIGN KEY (sentence_id) REFERENCES kindred_old.sentence(id) ON DELETE CASCADE;
ALTER TABLE ONLY kindred_old.map
    ADD CONSTRAINT map_model_id_fkey FOREIGN KEY (model_id) REFERENCES kindred_old.model(id) ON DELETE CASCADE;
ALTER TABLE ONLY kindred_old.model_file
    ADD CONSTRAINT model_file_model_id_fkey FOREIGN KEY (model_id) REFERENCES kindred_old.model(id) ON DELETE CASCADE;
ALTER TABLE ONLY kindred_old.model_piece
    ADD CONSTRAINT model_piece_model_id_name_fkey FOREIGN KEY (model_id, name) REFERENCES kindred_old.model_file(model_id, name) ON DELETE CASCADE;
ALTER TABLE ONLY kindred_old.neighbour
    ADD CONSTRAINT neighbour_model_id_fkey FOREIGN KEY (model_id) REFERENCES kindred_old.model(id) ON DELETE CASCADE;
ALTER TABLE ONLY kindred_old.neighbour
    ADD CONSTRAINT neighbour_sentence_id_fkey FOREIGN KEY (sentence_id) REFERENCES kindred_old.sentence(id) ON DELETE CASCADE;
ALTER TABLE ONLY kindred_old.occurrence
    ADD CONSTRAINT occurrence_sentence_id_fkey FOREIGN KEY (sentence_id) REFERENCES kindred_old.sentence(id);
ALTER TABLE ONLY kindred_old.occurrence
    ADD CONSTRAINT occurrence_version_id_fkey FOREIGN KEY (version_id) REFERENCES kindred_old.version(id);
ALTER TABLE ONLY kindred_old.page
    ADD CONSTRAINT page_version_id_fkey FOREIGN KEY (version_id) REFERENCES kindred_old.version(id) ON DELETE CASCADE;
ALTER TABLE ONLY kindred_old.part
    ADD CONSTRAINT part_model_id_fkey FOREIGN KEY (model_id) REFERENCES kindred_old.model(id) ON DELETE CASCADE;
ALTER TABLE ONLY kindred_old.passage
    ADD CONSTRAINT passage_version_id_fkey FOREIGN KEY (version_id) REFERENCES kindred_old.version(id) ON DELETE CASCADE;
ALTER TABLE ONLY kindred_old.quote
    ADD CONSTRAINT quote_document_id_fkey FOREIGN KEY (document_id) REFERENCES kindred_old.document(id) ON DELETE CASCADE;
ALTER TABLE ONLY kindred_old.recognised
    ADD CONSTRAINT recognised_version_id_fkey FOREIGN KEY (version_id) REFERENCES kindred_old.version(id) ON DELETE CASCADE;
ALTER TABLE ONLY kindred_old.reference
    ADD CONSTRAINT reference_document_id_fkey FOREIGN KEY (document_id) REFERENCES kindred_old.document(id) ON DELETE CASCADE;
ALTER TABLE ONLY kindred_old.saved_part
    ADD CONSTRAINT saved_part_search_id_fkey FOREIGN KEY (search_id) REFERENCES kindred_old.saved_search(id) ON DELETE CASCADE;
ALTER TABLE ONLY kindred_old.total_1
    ADD CONSTRAINT total_1_version_id_fkey FOREIGN KEY (version_id) REFERENCES kindred_old.version(id) ON DELETE CASCADE;
ALTER TABLE ONLY kindred_old.truncated
    ADD CONSTRAINT truncated_model_id_fkey FOREIGN KEY (model_id) REFERENCES kindred_old.model(id) ON DELETE CASCADE;
ALTER TABLE ONLY kindred_old.truncated
    ADD CONSTRAINT truncated_sentence_id_fkey FOREIGN KEY (sentence_id) REFERENCES kindred_old.sentence(id) ON DELETE CASCADE;
ALTER TABLE ONLY kindred_old.version
    ADD CONSTRAINT version_document_id_fkey FOREIGN KEY (document_id) REFERENCES kindred_old.document(id);
ALTER TABLE kindred_old.annotation ENABLE ROW LEVEL SECURITY;
ALTER TABLE kindred_old.asked ENABLE ROW LEVEL SECURITY;
CREATE POLICY erased ON kindred_old.annotation TO kindred_old_0a6ad99e_eraser USING (true);
CREATE POLICY erased ON kindred_old.asked TO kindred_old_0a6ad99e_eraser USING (true);
CREATE POLICY erased ON kindred_old.judgement TO kindred_old_0a6ad99e_eraser USING (true);
CREATE POLICY erased ON kindred_old.pair_mark TO kindred_old_0a6ad99e_eraser USING (true);
CREATE POLICY erased ON kindred_old.quote TO kindred_old_0a6ad99e_eraser USING (true);
CREATE POLICY erased ON kindred_old.saved_part TO kindred_old_0a6ad99e_eraser USING (true);
CREATE POLICY erased ON kindred_old.saved_search TO kindred_old_0a6ad99e_eraser USING (true);
ALTER TABLE kindred_old.judgement ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON kindred_old.annotation USING ((owner = CURRENT_USER)) WITH CHECK ((owner = CURRENT_USER));
CREATE POLICY own ON kindred_old.asked USING ((owner = CURRENT_USER)) WITH CHECK ((owner = CURRENT_USER));
CREATE POLICY own ON kindred_old.judgement USING ((owner = CURRENT_USER)) WITH CHECK ((owner = CURRENT_USER));
CREATE POLICY own ON kindred_old.pair_mark USING ((owner = CURRENT_USER)) WITH CHECK ((owner = CURRENT_USER));
CREATE POLICY own ON kindred_old.quote USING ((owner = CURRENT_USER)) WITH CHECK ((owner = CURRENT_USER));
CREATE POLICY own ON kindred_old.saved_part USING ((owner = CURRENT_USER)) WITH CHECK ((owner = CURRENT_USER));
CREATE POLICY own ON kindred_old.saved_search USING ((owner = CURRENT_USER)) WITH CHECK ((owner = CURRENT_USER));
ALTER TABLE kindred_old.pair_mark ENABLE ROW LEVEL SECURITY;
ALTER TABLE kindred_old.quote ENABLE ROW LEVEL SECURITY;
ALTER TABLE kindred_old.saved_part ENABLE ROW LEVEL SECURITY;
ALTER TABLE kindred_old.saved_search ENABLE ROW LEVEL SECURITY;
GRANT USAGE ON SCHEMA kindred_old TO kindred_old_0a6ad99e_reader;
GRANT USAGE ON SCHEMA kindred_old TO kindred_old_0a6ad99e_eraser;
GRANT CREATE ON SCHEMA kindred_old TO kindred_old_0a6ad99e_writer;
REVOKE ALL ON FUNCTION kindred_old.erase_places() FROM PUBLIC;
GRANT ALL ON FUNCTION kindred_old.erase_places() TO kindred_old_0a6ad99e_writer;
REVOKE ALL ON FUNCTION kindred_old.erase_words() FROM PUBLIC;
GRANT ALL ON FUNCTION kindred_old.erase_words() TO kindred_old_0a6ad99e_writer;
REVOKE ALL ON FUNCTION kindred_old.give_right(person name, granted text) FROM PUBLIC;
GRANT ALL ON FUNCTION kindred_old.give_right(person name, granted text) TO kindred_old_0a6ad99e_owner;
GRANT SELECT ON TABLE kindred_old.annotation TO kindred_old_0a6ad99e_reader;
GRANT INSERT,DELETE,UPDATE ON TABLE kindred_old.annotation TO kindred_old_0a6ad99e_writer;
GRANT SELECT,DELETE ON TABLE kindred_old.annotation TO kindred_old_0a6ad99e_eraser;
GRANT USAGE ON SEQUENCE kindred_old.annotation_id_seq TO kindred_old_0a6ad99e_writer;
GRANT SELECT ON TABLE kindred_old.asked TO kindred_old_0a6ad99e_reader;
GRANT INSERT,DELETE,UPDATE ON TABLE kindred_old.asked TO kindred_old_0a6ad99e_writer;
GRANT SELECT,DELETE ON TABLE kindred_old.asked TO kindred_old_0a6ad99e_eraser;
GRANT USAGE ON SEQUENCE kindred_old.asked_id_seq TO kindred_old_0a6ad99e_writer;
GRANT SELECT ON TABLE kindred_old.cluster TO kindred_old_0a6ad99e_reader;
GRANT INSERT,DELETE,UPDATE ON TABLE kindred_old.cluster TO kindred_old_0a6ad99e_writer;
GRANT USAGE ON SEQUENCE kindred_old.cluster_id_seq TO kindred_old_0a6ad99e_writer;
GRANT SELECT ON TABLE kindred_old.collected TO kindred_old_0a6ad99e_reader;
GRANT INSERT,DELETE,UPDATE ON TABLE kindred_old.collected TO kindred_old_0a6ad99e_writer;
GRANT SELECT ON TABLE kindred_old.collection TO kindred_old_0a6ad99e_reader;
GRANT INSERT,DELETE,UPDATE ON TABLE kindred_old.collection TO kindred_old_0a6ad99e_writer;
GRANT USAGE ON SEQUENCE kindred_old.collection_id_seq TO kindred_old_0a6ad99e_writer;
GRANT SELECT ON TABLE kindred_old.correction TO kindred_old_0a6ad99e_reader;
GRANT INSERT,DELETE,UPDATE ON TABLE kindred_old.correction TO kindred_old_0a6ad99e_writer;
GRANT USAGE ON SEQUENCE kindred_old.correction_id_seq TO kindred_old_0a6ad99e_writer;
GRANT SELECT ON TABLE kindred_old.cut TO kindred_old_0a6ad99e_reader;
GRANT INSERT,DELETE,UPDATE ON TABLE kindred_old.cut TO kindred_old_0a6ad99e_writer;
GRANT SELECT ON TABLE kindred_old.document TO kindred_old_0a6ad99e_reader;
GRANT INSERT,DELETE,UPDATE ON TABLE kindred_old.document TO kindred_old_0a6ad99e_writer;
GRANT USAGE ON SEQUENCE kindred_old.document_id_seq TO kindred_old_0a6ad99e_writer;
GRANT SELECT ON TABLE kindred_old.file_copy TO kindred_old_0a6ad99e_reader;
GRANT INSERT,DELETE,UPDATE ON TABLE kindred_old.file_copy TO kindred_old_0a6ad99e_writer;
GRANT SELECT ON TABLE kindred_old.file_copy TO kindred_old_0a6ad99e_eraser;
GRANT USAGE ON SEQUENCE kindred_old.file_copy_id_seq TO kindred_old_0a6ad99e_writer;
GRANT SELECT ON TABLE kindred_old.home TO kindred_old_0a6ad99e_reader;
GRANT INSERT,DELETE,UPDATE ON TABLE kindred_old.home TO kindred_old_0a6ad99e_writer;
GRANT SELECT ON TABLE kindred_old.judgement TO kindred_old_0a6ad99e_reader;
GRANT INSERT,DELETE,UPDATE ON TABLE kindred_old.judgement TO kindred_old_0a6ad99e_writer;
GRANT SELECT,DELETE ON TABLE kindred_old.judgement TO kindred_old_0a6ad99e_eraser;
GRANT USAGE ON SEQUENCE kindred_old.judgement_id_seq TO kindred_old_0a6ad99e_writer;
GRANT SELECT ON TABLE kindred_old.look TO kindred_old_0a6ad99e_reader;
GRANT INSERT,DELETE,UPDATE ON TABLE kindred_old.look TO kindred_old_0a6ad99e_writer;
GRANT SELECT ON TABLE kindred_old.loose TO kindred_old_0a6ad99e_reader;
GRANT INSERT,DELETE,UPDATE ON TABLE kindred_old.loose TO kindred_old_0a6ad99e_writer;
GRANT SELECT ON TABLE kindred_old.map TO kindred_old_0a6ad99e_reader;
GRANT INSERT,DELETE,UPDATE ON TABLE kindred_old.map TO kindred_old_0a6ad99e_writer;
GRANT SELECT ON TABLE kindred_old.meta TO kindred_old_0a6ad99e_reader;
GRANT SELECT ON TABLE kindred_old.model TO kindred_old_0a6ad99e_reader;
GRANT INSERT,DELETE,UPDATE ON TABLE kindred_old.model TO kindred_old_0a6ad99e_writer;
GRANT SELECT ON TABLE kindred_old.model_file TO kindred_old_0a6ad99e_reader;
GRANT INSERT,DELETE,UPDATE ON TABLE kindred_old.model_file TO kindred_old_0a6ad99e_writer;
GRANT USAGE ON SEQUENCE kindred_old.model_id_seq TO kindred_old_0a6ad99e_writer;
GRANT SELECT ON TABLE kindred_old.model_piece TO kindred_old_0a6ad99e_reader;
GRANT INSERT,DELETE,UPDATE ON TABLE kindred_old.model_piece TO kindred_old_0a6ad99e_writer;
GRANT SELECT ON TABLE kindred_old.neighbour TO kindred_old_0a6ad99e_reader;
GRANT INSERT,DELETE,UPDATE ON TABLE kindred_old.neighbour TO kindred_old_0a6ad99e_writer;
GRANT SELECT ON TABLE kindred_old.occurrence TO kindred_old_0a6ad99e_reader;
GRANT INSERT,DELETE,UPDATE ON TABLE kindred_old.occurrence TO kindred_old_0a6ad99e_writer;
GRANT SELECT ON TABLE kindred_old.page TO kindred_old_0a6ad99e_reader;
GRANT INSERT,DELETE,UPDATE ON TABLE kindred_old.page TO kindred_old_0a6ad99e_writer;
GRANT SELECT ON TABLE kindred_old.pair_mark TO kindred_old_0a6ad99e_reader;
GRANT INSERT,DELETE,UPDATE ON TABLE kindred_old.pair_mark TO kindred_old_0a6ad99e_writer;
GRANT SELECT,DELETE ON TABLE kindred_old.pair_mark TO kindred_old_0a6ad99e_eraser;
GRANT SELECT ON TABLE kindred_old.part TO kindred_old_0a6ad99e_reader;
GRANT INSERT,DELETE,UPDATE ON TABLE kindred_old.part TO kindred_old_0a6ad99e_writer;
GRANT SELECT ON TABLE kindred_old.passage TO kindred_old_0a6ad99e_reader;
GRANT INSERT,DELETE,UPDATE ON TABLE kindred_old.passage TO kindred_old_0a6ad99e_writer;
GRANT USAGE ON SEQUENCE kindred_old.passage_id_seq TO kindred_old_0a6ad99e_writer;
GRANT SELECT ON TABLE kindred_old.quote TO kindred_old_0a6ad99e_reader;
GRANT INSERT,DELETE,UPDATE ON TABLE kindred_old.quote TO kindred_old_0a6ad99e_writer;
GRANT SELECT,DELETE ON TABLE kindred_old.quote TO kindred_old_0a6ad99e_eraser;
GRANT USAGE ON SEQUENCE kindred_old.quote_id_seq TO kindred_old_0a6ad99e_writer;
GRANT SELECT ON TABLE kindred_old.recognised TO kindred_old_0a6ad99e_reader;
GRANT INSERT,DELETE,UPDATE ON TABLE kindred_old.recognised TO kindred_old_0a6ad99e_writer;
GRANT SELECT ON TABLE kindred_old.reference TO kindred_old_0a6ad99e_reader;
GRANT INSERT,DELETE,UPDATE ON TABLE kindred_old.reference TO kindred_old_0a6ad99e_writer;
GRANT SELECT ON TABLE kindred_old.saved_part TO kindred_old_0a6ad99e_reader;
GRANT INSERT,DELETE,UPDATE ON TABLE kindred_old.saved_part TO kindred_old_0a6ad99e_writer;
GRANT SELECT,DELETE ON TABLE kindred_old.saved_part TO kindred_old_0a6ad99e_eraser;
GRANT USAGE ON SEQUENCE kindred_old.saved_part_id_seq TO kindred_old_0a6ad99e_writer;
GRANT SELECT ON TABLE kindred_old.saved_search TO kindred_old_0a6ad99e_reader;
GRANT INSERT,DELETE,UPDATE ON TABLE kindred_old.saved_search TO kindred_old_0a6ad99e_writer;
GRANT SELECT,DELETE ON TABLE kindred_old.saved_search TO kindred_old_0a6ad99e_eraser;
GRANT USAGE ON SEQUENCE kindred_old.saved_search_id_seq TO kindred_old_0a6ad99e_writer;
GRANT SELECT ON TABLE kindred_old.sentence TO kindred_old_0a6ad99e_reader;
GRANT INSERT,DELETE,UPDATE ON TABLE kindred_old.sentence TO kindred_old_0a6ad99e_writer;
GRANT USAGE ON SEQUENCE kindred_old.sentence_id_seq TO kindred_old_0a6ad99e_writer;
GRANT SELECT ON TABLE kindred_old.state TO kindred_old_0a6ad99e_reader;
GRANT INSERT,DELETE,UPDATE ON TABLE kindred_old.state TO kindred_old_0a6ad99e_writer;
GRANT SELECT ON TABLE kindred_old.tally TO kindred_old_0a6ad99e_reader;
GRANT INSERT,DELETE,UPDATE ON TABLE kindred_old.tally TO kindred_old_0a6ad99e_writer;
GRANT SELECT ON TABLE kindred_old.total_1 TO kindred_old_0a6ad99e_reader;
GRANT SELECT ON TABLE kindred_old.truncated TO kindred_old_0a6ad99e_reader;
GRANT INSERT,DELETE,UPDATE ON TABLE kindred_old.truncated TO kindred_old_0a6ad99e_writer;
GRANT SELECT ON TABLE kindred_old.unlisted TO kindred_old_0a6ad99e_reader;
GRANT INSERT,DELETE,UPDATE ON TABLE kindred_old.unlisted TO kindred_old_0a6ad99e_writer;
GRANT SELECT ON TABLE kindred_old.vector_1 TO kindred_old_0a6ad99e_reader;
GRANT SELECT ON TABLE kindred_old.vector_1_0 TO kindred_old_0a6ad99e_reader;
GRANT SELECT ON TABLE kindred_old.version TO kindred_old_0a6ad99e_reader;
GRANT INSERT,REFERENCES,DELETE,UPDATE ON TABLE kindred_old.version TO kindred_old_0a6ad99e_writer;
GRANT USAGE ON SEQUENCE kindred_old.version_id_seq TO kindred_old_0a6ad99e_writer;
GRANT SELECT ON TABLE kindred_old.watched TO kindred_old_0a6ad99e_reader;
GRANT INSERT,DELETE,UPDATE ON TABLE kindred_old.watched TO kindred_old_0a6ad99e_writer;
GRANT USAGE ON SEQUENCE kindred_old.worker TO kindred_old_0a6ad99e_writer;
