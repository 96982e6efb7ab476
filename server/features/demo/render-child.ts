// The child process that composes one demo track: its arguments are the slug and the output file.
import { writeFile } from 'node:fs/promises'
import { demoTracks } from './demo-tracks.ts'
import { renderDemoTrack } from './render-demo-track.ts'

const [slug, path] = process.argv.slice(2)
const track = demoTracks.find((candidate) => candidate.slug === slug)
if (!track || !path) throw new Error(`There is no demo track ${slug}.`)
await writeFile(path, renderDemoTrack(track))
