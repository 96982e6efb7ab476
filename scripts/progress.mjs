// Prints progress on the terminal: one line per step, with the elapsed seconds.

const { stdout } = process

/** Formats a duration: `0.4 s`, `12 s`, `1 min 5 s`. */
export function formatElapsed(milliseconds) {
  const seconds = milliseconds / 1000
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`
  const whole = Math.round(seconds)
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`
}

/**
 * Runs `work` and shows `label` with the elapsed seconds. Errors of `work` propagate. `count` returns the progress,
 * for example `12 of 40`.
 */
export async function step(label, work, count = () => '') {
  const start = performance.now()
  const elapsed = () => formatElapsed(performance.now() - start)
  const draw = (mark, end) => {
    const parts = [label, mark === '…' ? count() : '', elapsed()].filter(Boolean)
    stdout.write(`${clear()}  ${mark} ${parts.join(' · ')}${end}`)
  }
  if (!stdout.isTTY) stdout.write(`  … ${label}\n`)
  const ticking = stdout.isTTY ? setInterval(() => draw('…', ''), 1000) : undefined
  if (stdout.isTTY) draw('…', '')
  try {
    const result = await work()
    draw('✓', '\n')
    return result
  } catch (error) {
    draw('✗', '\n')
    throw error
  } finally {
    clearInterval(ticking)
  }
}

function clear() {
  return stdout.isTTY ? '\r\u001b[2K' : ''
}
