-- Version 3: what a file gave beside its records, and the version of the readers that read it.
ALTER TABLE file ADD COLUMN edges TEXT NOT NULL DEFAULT '[]'; -- a JSON list of [from, relation, to]
ALTER TABLE file ADD COLUMN reader INTEGER NOT NULL DEFAULT 0;

-- The edges that end at a record are asked for by relation.
DROP INDEX edge_to;
CREATE INDEX edge_to ON edge (to_id, relation);

-- Every search asks whether anything was superseded, and in most stores nothing was.
CREATE INDEX edge_supersedes ON edge (to_id) WHERE relation = 'supersedes';
