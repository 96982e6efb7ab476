// `npm run upgrade-check`: tries this version's migrations on a copy of the data.
import { runBackupTool } from './backup-tool.mjs'

export const run = (args) => runBackupTool('upgrade-check', args)
