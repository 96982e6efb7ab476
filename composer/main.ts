// Renders one song of catalogue.json as a WAV file: node composer/main.ts SLUG FILE
import { writeFile } from 'node:fs/promises'
import { songs } from './catalogue.ts'
import { renderSong } from './render-song.ts'

const [slug, file] = process.argv.slice(2)
const song = songs.find((candidate) => candidate.slug === slug)
if (!song || !file)
  throw new Error(`Usage: node composer/main.ts SLUG FILE. There is no song ${slug}.`)
await writeFile(file, renderSong(song))
