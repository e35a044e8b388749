-- Version 1. One row of `record` is what filters and ranking read; its text stands apart in `content`,
-- so that a scan over a hundred thousand records stays small. `row` is the same number in all of them
-- and in full text. Dates are microseconds since 1970, UTC. Empty text that is filtered by is NULL.
CREATE TABLE record (
    row INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    domain TEXT,
    severity TEXT,
    author TEXT,
    scope TEXT,
    importance INTEGER NOT NULL,
    mentions INTEGER NOT NULL,
    doc_type TEXT NOT NULL,
    memory_type TEXT NOT NULL,
    status TEXT NOT NULL,
    half_life REAL,
    due INTEGER,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    valid_from INTEGER,
    valid_until INTEGER,
    deleted_at INTEGER,
    version INTEGER NOT NULL
) STRICT;
CREATE INDEX record_kind ON record (kind);
CREATE INDEX record_created ON record (created_at);
CREATE INDEX record_updated ON record (updated_at);
CREATE INDEX record_scope ON record (scope) WHERE scope IS NOT NULL;
CREATE INDEX record_domain ON record (domain) WHERE domain IS NOT NULL;
CREATE INDEX record_severity ON record (severity) WHERE severity IS NOT NULL;
CREATE INDEX record_author ON record (author) WHERE author IS NOT NULL;
CREATE INDEX record_deleted ON record (deleted_at) WHERE deleted_at IS NOT NULL;

CREATE TABLE content (
    row INTEGER PRIMARY KEY,
    title TEXT NOT NULL,
    aliases TEXT NOT NULL, -- a JSON list
    body TEXT NOT NULL,
    context TEXT NOT NULL,
    tags TEXT NOT NULL, -- a JSON list, in the order given
    source TEXT NOT NULL,
    first_line INTEGER,
    last_line INTEGER,
    extra TEXT NOT NULL -- a JSON object
) STRICT;

-- The stems of each record that can be found, in the form that text/fields.py describes. The id stands
-- here again so that scoring a candidate reads one row, not two.
CREATE TABLE stems (row INTEGER PRIMARY KEY, id TEXT NOT NULL, lines TEXT NOT NULL) STRICT;

-- The tags of each record that can be found, for filters and for renaming.
CREATE TABLE tag (
    name TEXT NOT NULL,
    row INTEGER NOT NULL,
    PRIMARY KEY (name, row)
) STRICT, WITHOUT ROWID;
CREATE INDEX tag_row ON tag (row);

CREATE TABLE edge (
    from_id TEXT NOT NULL,
    relation TEXT NOT NULL,
    to_id TEXT NOT NULL,
    strength REAL NOT NULL,
    evidence TEXT NOT NULL,
    created_at INTEGER,
    PRIMARY KEY (from_id, relation, to_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX edge_to ON edge (to_id);

-- What a record was before a change, as JSON.
CREATE TABLE version (
    id TEXT NOT NULL,
    number INTEGER NOT NULL,
    change TEXT NOT NULL,
    changed_at INTEGER NOT NULL,
    record TEXT NOT NULL,
    PRIMARY KEY (id, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE folder (name TEXT PRIMARY KEY, path TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE file (
    folder TEXT NOT NULL,
    path TEXT NOT NULL,
    modified_ns INTEGER NOT NULL,
    size INTEGER NOT NULL,
    digest TEXT NOT NULL,
    ids TEXT NOT NULL, -- a JSON list
    PRIMARY KEY (folder, path)
) STRICT, WITHOUT ROWID;

CREATE TABLE setting (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

-- Grows with each commit that changes what can be found; caches hang on it.
CREATE TABLE revision (number INTEGER NOT NULL) STRICT;
INSERT INTO revision VALUES (0);

-- Holds no text: what is indexed is richer than what is stored (text/prepare.py).
CREATE VIRTUAL TABLE fulltext USING fts5(
    id, title, aliases, body, context, tags, path,
    content = '',
    contentless_delete = 1,
    tokenize = "porter unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'"
);
CREATE VIRTUAL TABLE vocabulary USING fts5vocab(fulltext, row);
