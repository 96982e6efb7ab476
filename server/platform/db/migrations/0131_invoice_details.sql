-- The owner's details that the customer has at Stripe, as a hash. Null: none.
alter table subscriptions add column invoice_details_hash text check (length(invoice_details_hash) = 64);
