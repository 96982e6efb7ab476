import { expect, test } from 'vitest'
import { readReturnPath, buildSignInPath } from './return-path.ts'

test.each([
  ['/', '/'],
  ['/browse?track=0191a0c0', '/browse?track=0191a0c0'],
  ['/my-playlists/0191a0c0', '/my-playlists/0191a0c0'],
  ['/admin/library?edit=1&q=a%26b#row', '/admin/library?edit=1&q=a%26b#row'],
  ['/browse?q=https://evil.example', '/browse?q=https://evil.example'],
  ['/browse?q=a//b', '/browse?q=a//b'],
  ['/browse?q=50%25', '/browse?q=50%25'],
  ['/browse?q=日本', '/browse?q=%E6%97%A5%E6%9C%AC'],
  ['/authors', '/authors'],
  ['/a/../browse', '/browse'],
])('accepts the path %s', (path, normalized) => {
  expect(readReturnPath(path)).toBe(normalized)
})

test.each([
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/a\\b',
  'https://evil.example',
  'https:/evil.example',
  'javascript:alert(1)',
  'data:text/html,x',
  'evil.example',
  'browse',
  './browse',
  '?next=/browse',
  '',
  ' /browse',
  '/\t/evil.example',
  '/\n/evil.example',
  '/\r\nLocation: https://evil.example',
  '\u0000/browse',
  '/browse\u0000',
  '/\u0085/evil.example',
  '/\u2028/evil.example',
  '/%09/evil.example',
  '/%0d%0aSet-Cookie:x',
  '/%2f/evil.example',
  '/%2Fevil.example',
  '/%5cevil.example',
  '/%252fevil.example',
  '/%25252fevil.example',
  '/a%2f..%2f..%2fevil',
  '/.//evil.example',
  '/..//evil.example',
  '/a/..//evil.example',
  '/%2e//evil.example',
  '/%2e%2e//evil.example',
  '/%',
  '/%zz',
  '/%c3%28',
  '/auth',
  '/auth/',
  '/AUTH',
  '/%61uth',
  '/%2561uth',
  '/auth?next=/browse',
  '/auth#x',
  '/a/../auth',
  '/api/auth/sign-out',
  '/api',
  `/${'a'.repeat(2000)}`,
])('refuses %j', (path) => {
  expect(readReturnPath(path)).toBeNull()
  expect(buildSignInPath(path)).toBe('/auth')
})

test.each([null, undefined, 1, ['/browse'], { toString: () => '/browse' }])(
  'refuses %j, which is not a string',
  (value) => expect(readReturnPath(value)).toBeNull(),
)

test('adds the path to the sign-in URL, and omits the parameter for the home page', () => {
  const address = buildSignInPath('/browse?track=1&x=2#row')
  expect(address).toBe('/auth?next=%2Fbrowse%3Ftrack%3D1%26x%3D2%23row')
  expect(new URL(address, 'http://velour.test').searchParams.get('next')).toBe(
    '/browse?track=1&x=2#row',
  )
  expect(buildSignInPath('/')).toBe('/auth')
  expect(buildSignInPath(null)).toBe('/auth')
})
