import { expect, test } from 'vitest'
import { readList } from './read-list.ts'

test('reads an extended M3U playlist', () => {
  const text = [
    '\uFEFF#EXTM3U',
    '#PLAYLIST:Late hours',
    '#EXTINF:123,Mira - Slow - Light',
    '..\\music\\Mira\\Slow Light.mp3',
    '#EXTINF:-1,Only a title',
    'file:///Music/A%20%26%20B.flac',
    '',
    'plain.mp3',
  ].join('\r\n')
  expect(readList('x.m3u8', text)).toEqual({
    title: 'Late hours',
    entries: [
      { path: '../music/Mira/Slow Light.mp3', title: 'Slow - Light', artist: 'Mira' },
      { path: '/Music/A & B.flac', title: 'Only a title', artist: null },
      { path: 'plain.mp3', title: null, artist: null },
    ],
  })
})

test('reads an XSPF playlist, and does not expand custom entities', () => {
  const text = `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaa">]>
    <playlist><title>Late &amp; slow</title><trackList>
    <track><location>file:///m/a%20b.mp3</location><title>Slow&#33;</title><creator>Mira</creator></track>
    <track><title>&a;</title></track></trackList></playlist>`
  expect(readList('x.xspf', text)).toEqual({
    title: 'Late & slow',
    entries: [
      { path: '/m/a b.mp3', title: 'Slow!', artist: 'Mira' },
      { path: null, title: '&a;', artist: null },
    ],
  })
})

test('reads a CSV with commas or semicolons, quotes, line breaks and unknown columns', () => {
  expect(readList('x.csv', 'Title;Artist;Year\n"Slow;""Light""\nx";Mira;2024\n')).toEqual({
    title: null,
    entries: [{ path: null, title: 'Slow;"Light" x', artist: 'Mira' }],
  })
  expect(readList('x.csv', 'ISRC,file\nX1,a/b.wav\n')?.entries).toEqual([
    { path: 'a/b.wav', title: null, artist: null },
  ])
  expect(readList('x.csv', 'Amount,Day\n1,2\n')).toBeNull()
})
