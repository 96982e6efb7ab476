import { expect, test } from 'vitest'
import { isFolderCover, findReleaseFolder } from '#contract/fields/dropped-folders.ts'
import { findFolderCover } from './folder-cover.ts'
import { newItem, newItems, type UploadItem } from './upload-item.ts'

function item(path: string, type = 'audio/wav'): UploadItem {
  const file = new File(['x'], path.split('/').at(-1) ?? '', { type })
  return newItem({ file, path }, { batch: 'b', position: 1 })
}
const picture = (path: string) => item(path, 'image/jpeg')

test.each([
  ['album/cover.jpg', true],
  ['album/Folder.PNG', true],
  ['album/cd1/front.webp', true],
  ['album/back.jpg', false],
  ['album/cover.txt', false],
  ['cover.jpg', false],
])('tells whether %s is the cover of its folder: %s', (path, expected) => {
  expect(isFolderCover(path)).toBe(expected)
  expect(picture(path).stage).toBe(expected ? 'cover' : 'left_out')
})

test('uses the cover in the folder of the track, or in the nearest parent folder', () => {
  const covers = ['a/cover.jpg', 'a/cd2/folder.jpg', 'b/front.png'].map(picture)
  const findCoverPath = (path: string) => findFolderCover(item(path), covers)?.path
  expect(findCoverPath('a/01.wav')).toBe('a/cover.jpg')
  expect(findCoverPath('a/cd1/01.wav')).toBe('a/cover.jpg')
  expect(findCoverPath('a/cd2/01.wav')).toBe('a/cd2/folder.jpg')
  expect(findCoverPath('b/01.wav')).toBe('b/front.png')
  expect(findCoverPath('ab/01.wav')).toBeUndefined()
  expect(findCoverPath('01.wav')).toBeUndefined()
})

test('prefers "cover" to "folder" and "front"', () => {
  const covers = ['a/front.jpg', 'a/folder.png', 'a/cover.webp'].map(picture)
  expect(findFolderCover(item('a/01.wav'), covers)?.path).toBe('a/cover.webp')
})

test('skips an empty image', () => {
  const file = new File([], 'cover.jpg', { type: 'image/jpeg' })
  expect(newItem({ file, path: 'a/cover.jpg' }, { batch: 'b', position: 1 }).stage).toBe('left_out')
})

test.each([
  ['song.wav', null],
  ['Night Drive/01.wav', 'Night Drive'],
  ['Music/Night Drive/CD 2/01.wav', 'Night Drive'],
  ['Music/Night Drive/disc1/01.wav', 'Night Drive'],
  ['CD1/01.wav', null],
])('returns the release folder of %s: %s', (path, folder) => {
  expect(findReleaseFolder(path)).toBe(folder)
})

test('uses an image of any name if it is the only image beside recordings', () => {
  const found = ['a/01.wav', 'a/square.jpg', 'b/02.wav', 'b/x.jpg', 'b/y.jpg', 'c/alone.jpg'].map(
    (path) => ({ file: new File(['x'], path.slice(2)), path }),
  )
  const items = newItems(found, []).map(([one]) => one)
  const findCover = (path: string) =>
    findFolderCover(
      items.find((one) => one.path === path)!,
      items,
    )?.path
  expect(findCover('a/01.wav')).toBe('a/square.jpg')
  expect(findCover('b/02.wav')).toBeUndefined()
  expect(items.find(({ path }) => path === 'c/alone.jpg')?.stage).toBe('left_out')
})
