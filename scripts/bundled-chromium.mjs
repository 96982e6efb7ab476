// Unpacks the Chromium that comes as a dependency, with the libraries and fonts a bare system lacks.
import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { modulesFolder } from './project-paths.mjs'

const folder = join(modulesFolder, '.cache', 'velour-chromium')

// A launcher script sets the library path, so that the path applies only to the browser.
const launcher = `#!/bin/sh
here=$(dirname "$(readlink -f "$0")")
export LD_LIBRARY_PATH="$here/al2023/lib" FONTCONFIG_PATH="$here/fonts"
exec "$here/chromium" "$@"
`

/** Returns the path of the launcher script. */
export async function unpackBundledChromium() {
  const program = join(folder, 'start-chromium')
  if (existsSync(program)) return program
  mkdirSync(dirname(folder), { recursive: true })
  // Unpack into a temporary folder and rename it when complete.
  const unfinished = mkdtempSync(`${folder}-`)
  await unpack(unfinished)
  const script = join(unfinished, 'start-chromium')
  writeFileSync(script, launcher)
  chmodSync(script, 0o755)
  renameSync(unfinished, folder)
  return program
}

async function unpack(target) {
  // The package always unpacks into the temporary folder, so TMPDIR is set to the target.
  const before = process.env.TMPDIR
  process.env.TMPDIR = target
  try {
    const { inflate } = await import('@sparticuz/chromium')
    const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium')
    const packed = join(dirname(entry), '..', 'bin')
    const parts = ['chromium.br', 'fonts.tar.br', 'swiftshader.tar.br', 'al2023.tar.br']
    await Promise.all(parts.map((part) => inflate(join(packed, part))))
  } finally {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
  }
}
