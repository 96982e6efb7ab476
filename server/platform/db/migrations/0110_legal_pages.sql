-- Legal pages: what the owner is writing, every version that was published, and who agreed to which version of the terms.
create table legal_pages (
  slug text primary key check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 60),
  title text not null check (length(title) between 1 and 100),
  -- Markdown.
  draft text not null check (length(draft) <= 100000),
  -- False: its address answers 404, and no link leads to it.
  is_shown boolean not null default true,
  created_at timestamptz not null default now(),
  version integer not null default 1,
  changed_by uuid,
  changed_at timestamptz
);
create trigger legal_pages_version before update on legal_pages for each row
  when ((old.title, old.draft, old.is_shown) is distinct from (new.title, new.draft, new.is_shown))
  execute function increment_version();

create table legal_versions (
  slug text not null references legal_pages (slug),
  number integer not null check (number >= 1),
  title text not null,
  body text not null,
  -- Members are asked to agree to it. Only terms do.
  asks_consent boolean not null default false check (not asks_consent or slug = 'terms'),
  published_at timestamptz not null default now(),
  published_by uuid,
  primary key (slug, number)
);

-- What somebody agreed to has to stay what it was.
create function refuse_legal_change() returns trigger language plpgsql as $$
begin
  raise exception 'published versions of legal pages are append-only';
end $$;
create trigger legal_versions_append_only before update or delete on legal_versions
  for each row execute function refuse_legal_change();
create trigger legal_versions_no_truncate before truncate on legal_versions
  for each statement execute function refuse_legal_change();

create table terms_consents (
  user_id uuid not null references profiles (id) on delete cascade,
  slug text not null default 'terms' check (slug = 'terms'),
  number integer not null,
  consented_at timestamptz not null default now(),
  -- By creating the account, or when asked.
  way text not null check (way in ('sign_up', 'asked')),
  primary key (user_id, number),
  foreign key (slug, number) references legal_versions (slug, number)
);
