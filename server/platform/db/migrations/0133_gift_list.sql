-- The list of gifts in the back office.
create index gifts_paid on gifts (paid_at desc, id desc) where paid_at is not null;
