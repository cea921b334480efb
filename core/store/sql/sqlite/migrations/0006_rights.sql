-- Rights live in the other database. Differs because a file is one trust domain: whoever may write it may write
-- all of it, and the file's permissions say who that is.

-- By which whoever was there before knows the database again.
insert into setting (name, value) values ('database_id', lower(hex(randomblob(16))));
