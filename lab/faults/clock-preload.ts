// Preloaded into the server: shifts its clock by the number of milliseconds in a file. The file is read at startup and
// on SIGUSR2. PostgreSQL keeps the time of the system.
import { readFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

const file = process.env['FAULT_CLOCK']

if (file && isMainThread) {
  const SystemDate = Date
  let offsetMs = 0
  const read = () => {
    offsetMs = Number(readFileSync(file, 'utf8'))
  }
  read()
  process.on('SIGUSR2', read)
  const now = () => SystemDate.now() + offsetMs
  globalThis.Date = new Proxy(SystemDate, {
    construct: (target, given, newTarget) =>
      Reflect.construct(target, given.length > 0 ? given : [now()], newTarget) as Date,
    apply: () => new SystemDate(now()).toString(),
    get: (target, key) => (key === 'now' ? now : (Reflect.get(target, key) as unknown)),
  })
}
