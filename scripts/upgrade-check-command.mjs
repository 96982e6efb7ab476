// `npm run upgrade-check`: runs the migrations of this version on a copy of the data.
import { runBackupTool } from './backup-tool.mjs'

export const run = (args) => runBackupTool('upgrade-check', args)
