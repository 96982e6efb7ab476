// Installs Firefox and WebKit with sound and a virtual display, for `npm run test:engines`.
import { existsSync } from 'node:fs'
import { SetupError } from './setup-error.mjs'
import { installPackages } from './system-packages.mjs'

const packages = {
  'firefox-esr': 'firefox-esr',
  WebKitWebDriver: 'webkit2gtk-driver',
  Xvfb: 'xvfb',
  pulseaudio: 'pulseaudio',
  parec: 'pulseaudio-utils',
}
/** Needed by WebKit to decode AAC and MP3. */
const codecs = [
  'gstreamer1.0-plugins-good',
  'gstreamer1.0-plugins-bad',
  'gstreamer1.0-libav',
  'gstreamer1.0-pulseaudio',
]

/** Installs Firefox, WebKit and their packages. Throws a SetupError with instructions if the installation fails. */
export async function ensureEngines() {
  const missing = () =>
    Object.entries(packages).filter(([program]) => !existsSync(`/usr/bin/${program}`))
  if (missing().length === 0) return
  await installPackages('Firefox and WebKit', [...Object.values(packages), ...codecs])
  if (missing().length === 0) return
  throw new SetupError(
    `These tests need programs that are not installed. On Debian: apt-get install ${missing()
      .map(([, name]) => name)
      .join(' ')}`,
  )
}
