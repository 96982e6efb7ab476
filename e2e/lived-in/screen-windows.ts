// Keeps one window for each visitor and device. Screens in the same window are visited one after another.
import type { LivedInWorld } from './lived-in-world.ts'
import type { Visitor } from './screen-samples.ts'
import { openScreenWindow, type Device, type ScreenWindow } from './screen-window.ts'

interface Place {
  window: Promise<ScreenWindow>
  last: Promise<unknown>
}

const places = new Map<string, Place>()

export function withWindow<T>(
  world: LivedInWorld,
  visitor: Visitor,
  device: Device,
  visit: (window: ScreenWindow) => Promise<T>,
): Promise<T> {
  const key = `${visitor} ${device}`
  const who = { stranger: null, member: world.member, admin: world.admin }[visitor]
  const place = places.get(key) ?? {
    window: openScreenWindow(world, device, who),
    last: Promise.resolve(),
  }
  places.set(key, place)
  const done = place.last.then(async () => {
    const window = await place.window
    try {
      return await visit(window)
    } catch (error) {
      const problems = window.takeProblems().join('\n')
      throw new Error(`${String(error)}\nErrors in the console: ${problems || 'none'}`, {
        cause: error,
      })
    } finally {
      // Leave the page, so that an idle window neither plays nor renders.
      await window.page.goto('about:blank')
    }
  })
  // Ignore the error here, so that a failed visit doesn't stop the next one.
  place.last = done.catch(() => {})
  return done
}

export async function closeWindows(): Promise<void> {
  for (const { window } of places.values()) await (await window).page.context().close()
  places.clear()
}
