// Grouping the files of an archive, in the layouts that export tools create.
import { expect, test } from 'vitest'
import { planFiles, type FileData } from './plan-files.ts'

const plan = (paths: string[]) =>
  planFiles(paths.map((path) => ({ path, byteSize: 100 })) as Parameters<typeof planFiles>[0])

const dataOf = (paths: string[], name: string) =>
  plan(paths).find((item) => item.name === name)?.data as FileData | undefined

test('assigns a picture and text files to the recording with the same name', () => {
  const paths = [
    'Project/Slow Light_e301b70f.mp3',
    'Project/Slow Light_e301b70f.jpg',
    'Project/Slow Light_e301b70f.json',
    'Project/Tide - 1a2b3c4d.m4a',
    'Project/Tide - 1a2b3c4d.jpeg',
    'Project/Tide - 1a2b3c4d_info.txt',
    'Project/cover.jpg',
    'Project/Alone.mp3',
  ]
  expect(dataOf(paths, 'Slow Light_e301b70f.mp3')).toMatchObject({
    cover: 'Project/Slow Light_e301b70f.jpg',
    sides: ['Project/Slow Light_e301b70f.json'],
    folder: 'Project',
  })
  expect(dataOf(paths, 'Tide - 1a2b3c4d.m4a')).toMatchObject({
    cover: 'Project/Tide - 1a2b3c4d.jpeg',
    sides: ['Project/Tide - 1a2b3c4d_info.txt'],
  })
  expect(dataOf(paths, 'Alone.mp3')?.cover).toBe('Project/cover.jpg')
  expect(plan(paths).filter(({ status }) => status === 'left_out')).toEqual([])
})

test('assigns a text file to the recording with exactly the same name, if there is one', () => {
  const paths = ['Song.mp3', 'Song_info.mp3', 'Song_info.txt']
  expect(dataOf(paths, 'Song.mp3')?.sides).toEqual([])
  expect(dataOf(paths, 'Song_info.mp3')?.sides).toEqual(['Song_info.txt'])
})

test('assigns Faircamp manifests to recordings, and treats a folder with track.eno as a track', () => {
  const paths = [
    'catalog/catalog.eno',
    'catalog/EP/release.eno',
    'catalog/EP/cover.jpg',
    'catalog/EP/01 First/track.eno',
    'catalog/EP/01 First/cover.jpg',
    'catalog/EP/01 First/01 First.mp3',
    'catalog/EP/02 Second.mp3',
  ]
  expect(dataOf(paths, '01 First.mp3')).toEqual({
    sides: [],
    cover: 'catalog/EP/01 First/cover.jpg',
    folder: 'EP',
    manifests: ['catalog/EP/01 First/track.eno', 'catalog/EP/release.eno'],
    is_only: true,
  })
  expect(dataOf(paths, '02 Second.mp3')).toMatchObject({
    cover: 'catalog/EP/cover.jpg',
    folder: 'EP',
    manifests: ['catalog/EP/release.eno'],
  })
})

test("treats the only disc folder of an album by Bandcamp or beets as part of the album's folder", () => {
  const paths = ['Mira/2024 - Tide/cover.jpg', 'Mira/2024 - Tide/CD 2/Mira - Tide - 01 Sea.flac']
  expect(dataOf(paths, 'Mira - Tide - 01 Sea.flac')).toMatchObject({
    cover: 'Mira/2024 - Tide/cover.jpg',
    folder: '2024 - Tide',
  })
})

test('uses the only picture in a folder as the cover of its recordings, regardless of its name', () => {
  const paths = [
    'site/artist/portrait.jpg',
    'site/artist/orbit/release.eno',
    'site/artist/orbit/orbitCover1400.jpg',
    'site/artist/orbit/kept/kept.flac',
    'site/artist/orbit/kept/track.eno',
    'site/artist/orbit/kept/square.png',
    'site/artist/orbit/lost/lost.flac',
    'site/artist/orbit/lost/track.enov',
    'Two/a.jpg',
    'Two/b.jpg',
    'Two/01.mp3',
  ]
  expect(dataOf(paths, 'kept.flac')).toMatchObject({
    cover: 'site/artist/orbit/kept/square.png',
    folder: 'orbit',
  })
  expect(dataOf(paths, 'lost.flac')).toMatchObject({
    cover: 'site/artist/orbit/orbitCover1400.jpg',
    folder: 'orbit',
    manifests: ['site/artist/orbit/release.eno'],
  })
  expect(dataOf(paths, '01.mp3')?.cover).toBeNull()
  const leftOut = plan(paths).filter(({ status }) => status === 'left_out')
  expect(leftOut.map(({ name }) => name).toSorted()).toEqual([
    'a.jpg',
    'b.jpg',
    'portrait.jpg',
    'track.enov',
  ])
})

test('assigns a text named lyrics to the only recording in its folder, or to the recording that the text names', () => {
  const paths = [
    'song/lyrics-first draft.txt',
    'song/01 Slow Rail.mp3',
    'many/lyrics-Tide.txt',
    'many/Tide.mp3',
    'many/Rain.mp3',
    'many/lyrics.txt',
  ]
  expect(dataOf(paths, '01 Slow Rail.mp3')).toMatchObject({
    sides: ['song/lyrics-first draft.txt'],
    is_only: true,
  })
  expect(dataOf(paths, 'Tide.mp3')?.sides).toEqual(['many/lyrics-Tide.txt'])
  expect(dataOf(paths, 'Rain.mp3')?.sides).toEqual([])
})

test('sorts copies after all other recordings', () => {
  const paths = [
    'Backup/02 Rain.mp3',
    'Band/01 Tide.mp3',
    'Band/01 Tide (1).mp3',
    'Band/Copy of 03 Sea.mp3',
    'Band/Live (2024).mp3',
    'Copy of a Copy.mp3',
    'Zoo/02 Rain.mp3',
    'Zoo/03 Sea.mp3',
  ]
  expect(plan(paths).map(({ path }) => path)).toEqual([
    'Band/01 Tide.mp3',
    'Band/Live (2024).mp3',
    'Copy of a Copy.mp3',
    'Zoo/02 Rain.mp3',
    'Zoo/03 Sea.mp3',
    'Backup/02 Rain.mp3',
    'Band/01 Tide (1).mp3',
    'Band/Copy of 03 Sea.mp3',
  ])
})
