-- Money that a customer's bank took back is kept beside what was paid back: it is no part of the charge's refunds.
alter table stripe_refunds add column is_dispute boolean not null default false;
