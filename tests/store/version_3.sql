-- SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- The data file of version_2.sql as the program of schema version 3 left it when it was killed: it had
-- brought it up and delivered nothing, for the first destination was paused by then as well. The
-- second one resumes by itself in 2100. Event 1 has a note.
PRAGMA application_id=1279348293;
PRAGMA user_version=3;
BEGIN TRANSACTION;
CREATE TABLE checkpoint(destination INTEGER PRIMARY KEY, accepted INTEGER NOT NULL,
    delivered INTEGER NOT NULL, discarded INTEGER NOT NULL, pending BLOB NOT NULL,
    dead BLOB NOT NULL, tried BLOB NOT NULL, hash INTEGER NOT NULL);
INSERT INTO "checkpoint" VALUES(1,8,2,1,X'0100000000000000000000003A3000000100000000000300100000000300060007000800',X'0100000000000000000000003A3000000100000000000000100000000100',X'',3520265243177723075);
INSERT INTO "checkpoint" VALUES(2,8,0,0,X'0100000000000000000000003A30000001000000000007001000000001000200030004000500060007000800',X'0000000000000000',X'',1718843377336274691);
CREATE TABLE dead_letter_notes(note_seq INTEGER, note_destination INTEGER,
    noted_at INTEGER NOT NULL, noted_by TEXT NOT NULL, note TEXT NOT NULL,
    PRIMARY KEY(note_seq, note_destination)) WITHOUT ROWID;
INSERT INTO "dead_letter_notes" VALUES(1,1,1790000010000000,'ann','asked the shop');
CREATE TABLE dead_letters(row INTEGER PRIMARY KEY, destination INTEGER NOT NULL,
    seq INTEGER NOT NULL, user_id INTEGER NOT NULL, user_kind INTEGER NOT NULL,
    user TEXT NOT NULL, event_id TEXT NOT NULL, type TEXT NOT NULL, accepted_at INTEGER NOT NULL,
    died_at INTEGER NOT NULL, first_tried_at INTEGER NOT NULL, attempts INTEGER NOT NULL,
    life INTEGER NOT NULL, last_outcome INTEGER NOT NULL, last_status INTEGER NOT NULL,
    last_error TEXT NOT NULL, reason TEXT NOT NULL, bytes INTEGER NOT NULL, rewound_by INTEGER NOT NULL DEFAULT 0,
    UNIQUE(destination, seq));
INSERT INTO "dead_letters" VALUES(3,1,3,2,1,'user-2','event-3','order.created',1790000000000000,1790000004000000,1790000001000000,1,1,3,503,'HTTP 503','window over',16,4);
INSERT INTO "dead_letters" VALUES(5,1,1,2,1,'user-2','event-1','order.created',1790000000000000,1790000009000000,1790000001000000,1,2,6,503,'','window over',16,0);
CREATE TABLE destination_state(id INTEGER PRIMARY KEY, clock INTEGER NOT NULL,
    known_good REAL NOT NULL, paused INTEGER NOT NULL, paused_by_system INTEGER NOT NULL,
    paused_at INTEGER NOT NULL, paused_by TEXT NOT NULL, pause_reason TEXT NOT NULL, resume_at INTEGER NOT NULL DEFAULT 0);
INSERT INTO "destination_state" VALUES(1,90000000,16.0,1,0,1790000000000000,'ann','still',0);
INSERT INTO "destination_state" VALUES(2,90000000,16.0,1,0,1790000000000000,'ann','ill',4102444800000000);
CREATE TABLE destinations(id INTEGER PRIMARY KEY, name TEXT NOT NULL, url TEXT NOT NULL,
    window INTEGER NOT NULL, max_in_flight INTEGER NOT NULL, after_dead_letter INTEGER NOT NULL,
    statuses BLOB NOT NULL, secrets BLOB NOT NULL, headers BLOB NOT NULL,
    event_types BLOB NOT NULL, connect_timeout INTEGER NOT NULL,
    attempt_timeout INTEGER NOT NULL, allow_link_local INTEGER NOT NULL, rate_limit REAL NOT NULL DEFAULT 0, allow_edits INTEGER NOT NULL DEFAULT 0);
INSERT INTO "destinations" VALUES(1,'destination-1','http://127.0.0.1:9/1',259200000000,64,0,X'',X'',X'',X'',10000000,30000000,0,0.0,0);
INSERT INTO "destinations" VALUES(2,'destination-2','http://127.0.0.1:9/2',259200000000,64,0,X'',X'',X'',X'',10000000,30000000,0,0.0,0);
CREATE TABLE event_versions(seq INTEGER, destination INTEGER, operation INTEGER,
    at INTEGER NOT NULL, payload BLOB NOT NULL, PRIMARY KEY(seq, destination, operation));
INSERT INTO "event_versions" VALUES(3,1,4,1790000000000000,X'7B226964223A226D656E646564227D');
CREATE TABLE events(seq INTEGER PRIMARY KEY, source TEXT NOT NULL, id TEXT NOT NULL,
    user_kind INTEGER NOT NULL, user TEXT NOT NULL, type TEXT NOT NULL,
    content_type TEXT NOT NULL, accepted_at INTEGER NOT NULL, payload BLOB NOT NULL);
INSERT INTO "events" VALUES(1,'test','event-1',1,'user-2','order.created','application/json',1790000000000000,X'7B226964223A226576656E742D31227D');
INSERT INTO "events" VALUES(2,'test','event-2',1,'user-1','order.created','application/json',1790000000000000,X'7B226964223A226576656E742D32227D');
INSERT INTO "events" VALUES(3,'test','event-3',1,'user-2','order.created','application/json',1790000000000000,X'7B226964223A226576656E742D33227D');
INSERT INTO "events" VALUES(4,'test','event-4',1,'user-1','order.created','application/json',1790000000000000,X'7B226964223A226576656E742D34227D');
INSERT INTO "events" VALUES(5,'test','event-5',1,'user-2','order.created','application/json',1790000000000000,X'7B226964223A226576656E742D35227D');
INSERT INTO "events" VALUES(6,'test','event-6',1,'user-1','order.created','application/json',1790000000000000,X'7B226964223A226576656E742D36227D');
INSERT INTO "events" VALUES(7,'test','event-7',1,'user-2','order.created','application/json',1790000000000000,X'7B226964223A226576656E742D37227D');
INSERT INTO "events" VALUES(8,'test','event-8',1,'user-1','order.created','application/json',1790000000000000,X'7B226964223A226576656E742D38227D');
CREATE TABLE index_blocks(kind INTEGER, run INTEGER, key INTEGER, row INTEGER,
    data BLOB NOT NULL, sum INTEGER NOT NULL, PRIMARY KEY(kind, run, key, row)) WITHOUT ROWID;
INSERT INTO "index_blocks" VALUES(1,1,-9223372036854775808,0,X'080100AC83E194AC89A09C2107D0D6D9D5AFC8D797090086828481B2A3F5F40803B8BDF1E09E98826C04B686D5A8EEE0EEB40E06C2BF9BDEAAE7ADDB3601A4D486858382C9D36A05A89CE4D1B0E4E0DD0802',753045102578450354);
INSERT INTO "index_blocks" VALUES(2,1,-9223372036854775808,0,X'08010001010002000200020100000200020002',2549095503345635247);
INSERT INTO "index_blocks" VALUES(3,1,-9223372036854775808,0,X'10010001000001000800020001010200010007000301040001000A0106000100070108',-3400408738611990855);
CREATE TABLE index_runs(kind INTEGER, run INTEGER, low INTEGER NOT NULL, high INTEGER NOT NULL,
    first INTEGER NOT NULL, last INTEGER NOT NULL, entries INTEGER NOT NULL,
    PRIMARY KEY(kind, run)) WITHOUT ROWID;
INSERT INTO "index_runs" VALUES(1,1,-6829567776326663764,7830869008349063166,1,8,8);
INSERT INTO "index_runs" VALUES(2,1,-9223372036854775807,-9223372036854775806,1,8,8);
INSERT INTO "index_runs" VALUES(3,1,-9223372036854775807,-9223372036854775803,1,16,16);
CREATE TABLE journal(id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, destination INTEGER NOT NULL,
    seq INTEGER NOT NULL, life INTEGER NOT NULL, attempt INTEGER NOT NULL, at INTEGER NOT NULL,
    duration INTEGER NOT NULL, outcome INTEGER NOT NULL, status INTEGER NOT NULL,
    cause INTEGER NOT NULL, operation INTEGER NOT NULL, clock INTEGER NOT NULL,
    error TEXT NOT NULL, reason TEXT NOT NULL, response BLOB NOT NULL);
INSERT INTO "journal" VALUES(1,0,1,1,1,1,1790000001000000,1500,3,503,0,0,0,'HTTP 503','',X'');
INSERT INTO "journal" VALUES(2,1,1,1,1,1,1790000002000000,1500,3,503,0,0,0,'','window over',X'');
INSERT INTO "journal" VALUES(3,0,1,2,1,1,1790000001000000,1500,3,503,0,0,0,'HTTP 503','',X'');
INSERT INTO "journal" VALUES(4,1,1,2,1,1,1790000003000000,1500,3,503,0,0,0,'','window over',X'');
INSERT INTO "journal" VALUES(5,0,1,3,1,1,1790000001000000,1500,3,503,0,0,0,'HTTP 503','',X'');
INSERT INTO "journal" VALUES(6,1,1,3,1,1,1790000004000000,1500,3,503,0,0,0,'','window over',X'');
INSERT INTO "journal" VALUES(7,0,1,4,1,1,1790000001000000,1500,3,503,0,0,0,'HTTP 503','',X'');
INSERT INTO "journal" VALUES(8,1,1,4,1,1,1790000005000000,1500,3,503,0,0,0,'','window over',X'');
INSERT INTO "journal" VALUES(9,0,1,5,1,1,1790000001000000,1500,0,200,0,0,0,'','',X'');
INSERT INTO "journal" VALUES(10,2,1,1,2,1,1790000001000000,1500,3,503,0,2,55000000,'','',X'');
INSERT INTO "journal" VALUES(11,2,1,2,2,1,1790000001000000,1500,3,503,0,2,55000000,'','',X'');
INSERT INTO "journal" VALUES(12,0,1,1,2,1,1790000001000000,1500,6,503,0,2,0,'','',X'');
INSERT INTO "journal" VALUES(13,1,1,1,2,1,1790000009000000,1500,6,503,0,2,0,'','window over',X'');
INSERT INTO "journal" VALUES(14,0,1,2,2,1,1790000001000000,1500,0,200,0,2,0,'','',X'');
INSERT INTO "journal" VALUES(15,3,1,4,1,1,1790000001000000,1500,3,503,0,3,0,'','',X'');
INSERT INTO "journal" VALUES(16,2,1,3,2,1,1790000001000000,1500,3,503,0,4,0,'','',X'');
CREATE TABLE lane_holds(destination INTEGER, user INTEGER, from_clock INTEGER,
    to_clock INTEGER NOT NULL, at INTEGER NOT NULL, user_text TEXT NOT NULL,
    held_by TEXT NOT NULL, reason TEXT NOT NULL,
    PRIMARY KEY(destination, user, from_clock)) WITHOUT ROWID;
INSERT INTO "lane_holds" VALUES(1,1,60000000,-1,1790000000000000,'user-1','ann','asked');
CREATE TABLE marks(name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO "marks" VALUES('checkpoint',8668390247475957704);
INSERT INTO "marks" VALUES('destination',2);
INSERT INTO "marks" VALUES('event_ids',8);
INSERT INTO "marks" VALUES('history',16);
INSERT INTO "marks" VALUES('journal',16);
INSERT INTO "marks" VALUES('sequence',8);
INSERT INTO "marks" VALUES('users',8);
CREATE TABLE operation_sets(operation INTEGER, part INTEGER, data BLOB NOT NULL,
    PRIMARY KEY(operation, part));
INSERT INTO "operation_sets" VALUES(2,0,X'0202020202000201080003');
INSERT INTO "operation_sets" VALUES(3,0,X'08020201');
INSERT INTO "operation_sets" VALUES(4,0,X'06020202');
CREATE TABLE operation_skips(operation INTEGER, position INTEGER, reason INTEGER NOT NULL,
    PRIMARY KEY(operation, position)) WITHOUT ROWID;
INSERT INTO "operation_skips" VALUES(2,2,1);
CREATE TABLE operations(id INTEGER PRIMARY KEY, at INTEGER NOT NULL, who TEXT NOT NULL,
    action TEXT NOT NULL, scope TEXT NOT NULL, reason TEXT NOT NULL, asked INTEGER NOT NULL,
    done INTEGER NOT NULL, skipped INTEGER NOT NULL, kind INTEGER NOT NULL DEFAULT 0, state INTEGER NOT NULL DEFAULT 0, note TEXT NOT NULL DEFAULT '', pace REAL NOT NULL DEFAULT 0, tracer INTEGER NOT NULL DEFAULT 0, delivered INTEGER NOT NULL DEFAULT 0, dead_again INTEGER NOT NULL DEFAULT 0, returned INTEGER NOT NULL DEFAULT 0, target INTEGER NOT NULL DEFAULT 0);
INSERT INTO "operations" VALUES(1,1790000000000000,'ann','pause','destination-2','',0,0,0,0,0,'',0.0,0,0,0,0,0);
INSERT INTO "operations" VALUES(2,1790000000000000,'ann','rewind','3 selected dead letters','',3,2,1,1,0,'',0.0,0,1,1,0,0);
INSERT INTO "operations" VALUES(3,1790000000000000,'ann','discard','','',1,1,0,3,0,'',0.0,0,0,0,0,0);
INSERT INTO "operations" VALUES(4,1790000000000000,'ann','edit and rewind','event 3','',1,1,0,1,3,'',0.0,0,0,0,0,0);
CREATE TABLE pointers(seq INTEGER PRIMARY KEY, user INTEGER NOT NULL, targets BLOB NOT NULL, hash INTEGER NOT NULL DEFAULT 0);
INSERT INTO "pointers" VALUES(1,2,X'0180BFD6060280BFD606',0);
INSERT INTO "pointers" VALUES(2,1,X'0180BFD6060280BFD606',0);
INSERT INTO "pointers" VALUES(3,2,X'0180BFD6060280BFD606',0);
INSERT INTO "pointers" VALUES(4,1,X'0180BFD6060280BFD606',0);
INSERT INTO "pointers" VALUES(5,2,X'0180BFD6060280BFD606',0);
INSERT INTO "pointers" VALUES(6,1,X'0180BFD6060280BFD606',0);
INSERT INTO "pointers" VALUES(7,2,X'0180BFD6060280BFD606',0);
INSERT INTO "pointers" VALUES(8,1,X'0180BFD6060280BFD606',0);
CREATE TABLE tried_blocks(id INTEGER PRIMARY KEY, data BLOB NOT NULL, hash INTEGER NOT NULL);
INSERT INTO "tried_blocks" VALUES(2199023255552,X'030002040003F7030000',4064343804716374219);
CREATE TABLE trimmed(destination INTEGER PRIMARY KEY, accepted INTEGER NOT NULL,
    delivered INTEGER NOT NULL, discarded INTEGER NOT NULL);
CREATE INDEX journal_by_destination ON journal(destination);
CREATE INDEX dead_by_time ON dead_letters(died_at, destination, seq) WHERE rewound_by=0;
CREATE INDEX dead_by_destination ON dead_letters(destination, died_at, seq) WHERE rewound_by=0;
CREATE INDEX dead_by_user ON dead_letters(user, died_at, destination, seq) WHERE rewound_by=0;
CREATE INDEX journal_acts ON journal(destination, seq) WHERE kind>=2;
CREATE INDEX dead_by_first_try ON dead_letters(first_tried_at, died_at, destination, seq)
    WHERE rewound_by=0;
CREATE INDEX dead_by_attempts ON dead_letters(attempts, died_at, destination, seq)
    WHERE rewound_by=0;
CREATE INDEX dead_by_lane ON dead_letters(destination, user, died_at, seq) WHERE rewound_by=0;
CREATE INDEX dead_by_type ON dead_letters(type, died_at, destination, seq) WHERE rewound_by=0;
CREATE INDEX dead_by_status ON dead_letters(last_status, died_at, destination, seq)
    WHERE rewound_by=0;
CREATE INDEX dead_by_outcome ON dead_letters(last_outcome, died_at, destination, seq)
    WHERE rewound_by=0;
CREATE INDEX dead_by_event ON dead_letters(event_id, died_at, destination, seq)
    WHERE rewound_by=0;
COMMIT;
