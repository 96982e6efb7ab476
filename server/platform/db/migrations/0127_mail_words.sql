-- The owner's words in mails, by kind. Null: the default. Without a row all of them are.
create table mail_words (
  kind text primary key check (kind ~ '^[a-z][a-z_]{0,39}$'),
  subject text check (length(subject) between 1 and 150),
  opening text check (length(opening) between 1 and 4000),
  closing text check (length(closing) between 1 and 2000),
  updated_at timestamptz not null default now(),
  check (num_nonnulls(subject, opening, closing) > 0)
);
