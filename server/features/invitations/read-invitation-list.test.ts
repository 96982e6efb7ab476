import { expect, test } from 'vitest'
import { readInvitationList } from './read-invitation-list.ts'

const read = (csv: string) =>
  readInvitationList(csv).map(({ email, display_name, problem }) => [email, display_name, problem])

test('finds the columns by the names in the header row', () => {
  expect(read('Name;E-Mail;Age\nAda Lovelace;ADA@Music.example ;36\n')).toEqual([
    ['ada@music.example', 'Ada Lovelace', null],
  ])
  expect(
    read('First name,Last name,Email\nAda,Lovelace,a@music.example\n,,b@music.example'),
  ).toEqual([
    ['a@music.example', 'Ada Lovelace', null],
    ['b@music.example', '', null],
  ])
})

test('reads a list without a header row, and addresses such as "Ada <ada@music.example>"', () => {
  expect(read('\uFEFFa@music.example\nBen <b@music.example>')).toEqual([
    ['a@music.example', '', null],
    ['b@music.example', '', null],
  ])
  expect(read('Ada,a@music.example')).toEqual([['a@music.example', 'Ada', null]])
})

test('reports each invalid row with its line number', () => {
  const csv = [
    'email,name',
    'ada@music.example,Ada',
    'not an address,Ben',
    '',
    ',Cleo',
    'Ada@music.example,Ada again',
    `dora@music.example,${'x'.repeat(101)}`,
    `${'x'.repeat(500)}@,`,
  ].join('\n')
  expect(readInvitationList(csv).map(({ line, problem }) => [line, problem])).toEqual([
    [2, null],
    [3, 'invalid_address'],
    [5, 'no_address'],
    [6, 'repeated'],
    [7, 'name_too_long'],
    [8, 'invalid_address'],
  ])
  expect(readInvitationList(csv).at(-1)?.email).toHaveLength(200)
})

test('removes control characters from names, and the apostrophe that protects spreadsheets from formulas', () => {
  expect(read('email,name\na@music.example,"\'=Ada\u202e\nLovelace\0"')).toEqual([
    ['a@music.example', '=Ada Lovelace', null],
  ])
})

test.each([
  ['', 'invitation_list_empty'],
  ['email,name\n', 'invitation_list_empty'],
  ['name,age\nAda,36', 'invitation_list_empty'],
  [`email\n${'a@music.example\n'.repeat(1001)}`, 'invitation_list_too_long'],
  ['a@music.example\n'.repeat(1001), 'invitation_list_too_long'],
])('rejects a list that is empty or too long', (csv, code) => {
  expect(() => readInvitationList(csv)).toThrow(expect.objectContaining({ code }))
})

test('accepts 1,000 rows, with and without a header', () => {
  const rows = Array.from({ length: 1000 }, (_, i) => `guest-${i}@music.example`).join('\n')
  expect(readInvitationList(rows)).toHaveLength(1000)
  expect(readInvitationList(`email\n${rows}`)).toHaveLength(1000)
})
