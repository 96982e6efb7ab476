// Worker thread that runs one update of similar tracks. Comparing reads the words and sounds of the whole catalogue,
// which would block the server's event loop for seconds.
import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { buildConnectionConfig } from '../../platform/db/connection-config.ts'
import { withClient } from '../../platform/db/with-client.ts'
import { updateAllNeighbors } from './update-all-neighbors.ts'

const belowRequests = 10

// Linux sets the priority of this thread only, other systems that of the whole process. With few cores, this thread
// would otherwise delay the event loop.
if (process.platform === 'linux') setPriority(belowRequests)

const { connectionString } = workerData as { connectionString: string }
const updated = await withClient(buildConnectionConfig(connectionString), updateAllNeighbors)
parentPort?.postMessage(updated)
