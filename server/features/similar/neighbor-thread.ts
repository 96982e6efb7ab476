// A worker thread that updates the lists of similar tracks once. It reads the words and sounds of the whole catalogue,
// which would block the server's event loop for seconds.
import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { buildConnectionConfig } from '../../platform/db/connection-config.ts'
import { withClient } from '../../platform/db/with-client.ts'
import { updateAllNeighbors } from './update-all-neighbors.ts'

const belowRequests = 10

// Lower the priority, because with few cores this thread would delay the event loop. Linux changes only this thread,
// other systems the whole process.
if (process.platform === 'linux') setPriority(belowRequests)

const { connectionString } = workerData as { connectionString: string }
const updated = await withClient(buildConnectionConfig(connectionString), updateAllNeighbors)
parentPort?.postMessage(updated)
