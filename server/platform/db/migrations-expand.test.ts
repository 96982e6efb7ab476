// During a rolling upgrade, old and new code share one database. So a migration may only expand the schema: it
// removes nothing that the previous release reads, and requires nothing that the previous release does not write.
import { expect, test } from 'vitest'
import { contractingName, readMigrations } from './migrate.ts'

const contracting: [string, RegExp][] = [
  ['drops a table or view', /\bdrop (?:table|view|materialized view|type|sequence)\b/],
  ['drops a column', /\bdrop column\b/],
  // Triggers, and their functions without parameters, may be renamed, because only the database calls them.
  ['renames', /\balter (?!trigger \w+ on |function \w+\(\) )[^;]*\brename\b/],
  ['changes a type', /\balter column \w+ (?:set data )?type\b/],
  ['forbids null', /\balter column \w+ set not null\b/],
  [
    'adds a required column',
    /\badd column \w+ (?![^,;]*\bdefault\b)(?![^,;]*\bgenerated\b)[^,;]*\bnot null\b/,
  ],
  ['adds a constraint', /\badd constraint\b/],
  ['revokes rights', /\brevoke\b/],
]

/**
 * A later release may remove what the previous one no longer uses, in `NNNN_contract_what.sql`. Older versions then
 * refuse to start. A comment in the file must name the release that stopped using it.
 */
const justification = /^-- contracts: \S.*$/m

/** Written before the first release, so no older version could run on their schema. */
const beforeFirstRelease = new Set(['0001_foundation.sql', '0006_money_and_insights.sql'])

function findContracting(sql: string): string[] {
  const code = sql
    .replaceAll(/--.*$/gm, '')
    .replaceAll(/\$(\w*)\$[\s\S]*?\$\1\$/g, '')
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .replaceAll(/\s+/g, ' ')
    .toLowerCase()
  return contracting.filter(([, pattern]) => pattern.test(code)).map(([what]) => what)
}

test('migrations only expand the schema, or state why no running version needs what they remove', async () => {
  const found = (await readMigrations())
    .filter(
      ({ name, sql }) =>
        !beforeFirstRelease.has(name) && !(contractingName.test(name) && justification.test(sql)),
    )
    .map(({ name, sql }) => ({ name, contracting: findContracting(sql) }))
  expect(found.length).toBeGreaterThan(5)
  expect(found.filter((migration) => migration.contracting.length > 0)).toEqual([])
})

test.each([
  ['alter table tracks drop column lyrics;', ['drops a column']],
  ['alter table tracks\n  rename column lyrics to words;', ['renames']],
  ['alter table tracks add column mood text not null;', ['adds a required column']],
  ['alter function fold_text(text) rename to fold;', ['renames']],
  ['alter function tell() rename to notify; alter trigger told on likes rename to notified;', []],
  ['alter table tracks alter column mood set not null;', ['forbids null']],
  ['alter table tracks alter column duration type numeric;', ['changes a type']],
  ['drop table likes;', ['drops a table or view']],
  [`alter table tracks add column mood text not null default 'calm', add column note text;`, []],
  ['create table moods (name text not null);', []],
  [`comment on table likes is 'drop table';\n-- rename`, []],
])('%s', (sql, expected) => {
  expect(findContracting(sql)).toEqual(expected)
})
