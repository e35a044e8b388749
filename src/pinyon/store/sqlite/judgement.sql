-- Version 4: what ranking learns from being used.

-- What is valid only for a time is rare, and every search leaves out what is not valid now.
CREATE INDEX record_valid_from ON record (valid_from) WHERE valid_from IS NOT NULL;
CREATE INDEX record_valid_until ON record (valid_until) WHERE valid_until IS NOT NULL;

-- Apart from `record`: written after every search, without a new revision. `strength` is what it was at
-- `used_at`; the four after it are those of spaced repetition, `stability` in days.
CREATE TABLE use (
    row INTEGER PRIMARY KEY,
    count INTEGER NOT NULL,
    used_at INTEGER NOT NULL,
    strength REAL NOT NULL,
    stability REAL NOT NULL,
    difficulty REAL NOT NULL,
    reviews INTEGER NOT NULL,
    reviewed_at INTEGER
) STRICT;

-- The questions, as they were asked.
CREATE TABLE asked (
    number INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    text TEXT NOT NULL,
    profile TEXT NOT NULL,
    kinds TEXT NOT NULL, -- a JSON list
    found INTEGER NOT NULL,
    ms REAL NOT NULL
) STRICT;
CREATE INDEX asked_at ON asked (at);

CREATE TABLE feedback (
    profile TEXT NOT NULL,
    query TEXT NOT NULL,
    id TEXT NOT NULL,
    verdict TEXT NOT NULL,
    at INTEGER NOT NULL,
    signals TEXT NOT NULL, -- a JSON object
    passed TEXT NOT NULL, -- a JSON list of objects
    PRIMARY KEY (profile, query, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX feedback_id ON feedback (id);
