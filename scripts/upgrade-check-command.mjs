// `npm run upgrade-check`: this version's migrations, tried on a copy of the rows.
import { runBackupTool } from './backup-tool.mjs'

export const run = (args) => runBackupTool('upgrade-check', args)
