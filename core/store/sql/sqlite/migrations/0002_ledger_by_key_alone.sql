-- The keys of a run stand in its journal, so the ledger is asked by key: an index by run cost a write
-- with every intent and answered nothing else.
drop index ledger_run;
