-- What invoices and receipts say about the owner, and numbered receipts for payments that are recorded by hand.

alter table settings
  add column invoice_name text not null default '' check (length(invoice_name) <= 140),
  add column invoice_address text not null default '' check (length(invoice_address) <= 400),
  add column invoice_tax_id text not null default '' check (length(invoice_tax_id) <= 140),
  add column invoice_footer text not null default '' check (length(invoice_footer) <= 1000);

-- The row is locked until the receipt is committed, so a rollback leaves no gap.
create table receipt_counter (
  id integer primary key default 1 check (id = 1),
  last_number bigint not null default 0
);
insert into receipt_counter default values;

create table receipts (
  number bigint primary key check (number > 0),
  -- The entry of the ledger that it confirms.
  payment_id uuid not null unique,
  user_id uuid references profiles (id) on delete set null,
  -- The receipt that this one voids.
  voids bigint unique references receipts (number),
  -- Negative: it voids another one.
  amount_cents bigint not null check (amount_cents <> 0),
  currency text not null check (currency ~ '^[a-z]{3}$'),
  payment_method text not null,
  -- What was paid for.
  description text not null check (length(description) <= 200),
  covers_from timestamptz,
  covers_to timestamptz,
  -- As they were on that day: the person, and the owner's details.
  recipient text not null check (length(recipient) <= 400),
  issuer jsonb not null,
  issued_at timestamptz not null,
  check ((voids is null) = (amount_cents > 0))
);
create index receipts_user on receipts (user_id, number desc);

create function refuse_receipt_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and to_jsonb(new) - 'user_id' = to_jsonb(old) - 'user_id' and new.user_id is null then
    return new;
  end if;
  raise exception 'receipts are only added';
end $$;
create trigger receipts_only_added before update or delete on receipts
  for each row execute function refuse_receipt_change();
