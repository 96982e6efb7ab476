-- Mails before a yearly plan renews and before a card expires.
alter table settings add column renewal_reminder boolean not null default true;
alter table stripe_subscriptions
  -- When Stripe was last asked for the card.
  add column card_checked_at timestamptz,
  -- The end that the member was reminded of.
  add column renewal_notice_for timestamptz;
