// The index must list all decision records, and records that change each other must link in both directions.
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const folder = join(import.meta.dirname, '..', 'docs', 'decisions')
const read = (file) => readFileSync(join(folder, file), 'utf8')
const records = readdirSync(folder)
  .filter((file) => /^\d{4}-/.test(file))
  .toSorted()

/**
 * The lines above the first paragraph: date, status, the records that this one changes and the records that change
 * it.
 */
const statusOf = (file) => read(file).split('\n\n')[1]

test('the index lists each record with its number, title, date and status', () => {
  const rows = records.map((file) => {
    const [, number, title] = /^# (\d+) · (.+)$/m.exec(read(file))
    const [, date, status] = /^(\d{4}-\d\d-\d\d) · (\w+)/.exec(statusOf(file))
    return `| ${number} | [${title}](${file}) | ${date} | ${status} |`
  })
  const listed = read('README.md')
    .split('\n')
    .filter((line) => /^\| \d/.test(line))
    .map((line) => line.replaceAll(/ +/g, ' '))
  expect(listed).toEqual(rows)
})

test('records that change each other link in both directions', () => {
  const links = records.flatMap((file) =>
    [...statusOf(file).matchAll(/\]\((\d{4}-[\w-]+\.md)\)/g)].map(([, other]) => [file, other]),
  )
  expect(links.length).toBeGreaterThan(0)
  for (const [file, other] of links) expect(statusOf(other)).toContain(file)
})
