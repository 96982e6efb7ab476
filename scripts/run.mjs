// Entry of every `npm run` command. Plain JavaScript for any Node ≥ 18, because a fresh machine's Node may be too
// old for the server and nothing is installed yet when this runs.
import { SetupError } from './setup-error.mjs'

const commands = {
  start: () => import('./start-command.mjs'),
  dev: () => import('./dev-command.mjs'),
  build: () => import('./build-command.mjs'),
  check: () => import('./check-command.mjs'),
  audit: () => import('./audit-command.mjs'),
  test: () => import('./test-command.mjs'),
  cluster: () => import('./cluster-command.mjs'),
  bench: () => import('./bench-command.mjs'),
  lab: () => import('./lab-command.mjs'),
  scaling: () => import('./scaling-command.mjs'),
  backup: () => import('./backup-command.mjs'),
  restore: () => import('./restore-command.mjs'),
  doctor: () => import('./doctor-command.mjs'),
  'check-files': () => import('./check-files-command.mjs'),
  export: () => import('./export-command.mjs'),
  'close-demo': () => import('./close-demo-command.mjs'),
  'upgrade-check': () => import('./upgrade-check-command.mjs'),
  format: () => import('./format-command.mjs'),
}

const [name = '', ...args] = process.argv.slice(2)
const load = Object.hasOwn(commands, name) ? commands[name] : null
if (!load) {
  console.error(`Usage: node scripts/run.mjs ${Object.keys(commands).join(' | ')}`)
  process.exit(2)
}
try {
  const command = await load()
  process.exitCode = await command.run(args)
} catch (error) {
  if (!(error instanceof SetupError)) throw error
  console.error(`\n${error.message}\n`)
  process.exitCode = 1
}
