-- Version 2: what records mean.

-- The passages of each record that can be found (text/passages.py). `digest` stands for the text that a
-- model is given; `first` and `last` are characters of the body.
CREATE TABLE passage (
    number INTEGER PRIMARY KEY,
    row INTEGER NOT NULL,
    place INTEGER NOT NULL,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL,
    digest BLOB NOT NULL
) STRICT;
CREATE INDEX passage_row ON passage (row);

-- `vectors` counts those of the model. `mean` is subtracted before a vector becomes a code; `centred` is
-- the number of vectors that it was taken of.
CREATE TABLE model (
    number INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    choice TEXT NOT NULL,
    dims INTEGER NOT NULL,
    state TEXT NOT NULL,
    vectors INTEGER NOT NULL DEFAULT 0,
    centred INTEGER NOT NULL DEFAULT 0,
    mean BLOB
) STRICT;

-- float32, of length 1. In the order in which they come: a table that grows at its end fills its pages,
-- one that grows anywhere else leaves half of them empty.
CREATE TABLE vector (
    number INTEGER PRIMARY KEY,
    model INTEGER NOT NULL,
    passage INTEGER NOT NULL,
    vector BLOB NOT NULL
) STRICT;
CREATE UNIQUE INDEX vector_passage ON vector (model, passage);

-- The signs of the vectors, packed, for the scan: those of the passages that share all but the last ten
-- bits of their number. `changed` is the revision that wrote the block.
CREATE TABLE code (
    model INTEGER NOT NULL,
    block INTEGER NOT NULL,
    changed INTEGER NOT NULL,
    passages BLOB NOT NULL, -- 8 bytes each
    rows BLOB NOT NULL, -- of the records, 8 bytes each
    codes BLOB NOT NULL,
    PRIMARY KEY (model, block)
) STRICT;

-- Passages that have no vector of an active or filling model. One with `expires` in the future is held by
-- `owner`, or failed and is to be tried again then.
CREATE TABLE waiting (
    model INTEGER NOT NULL,
    passage INTEGER NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    expires INTEGER NOT NULL DEFAULT 0,
    owner TEXT NOT NULL DEFAULT '',
    reason TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (model, passage)
) STRICT, WITHOUT ROWID;
