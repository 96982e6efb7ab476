// Thread that runs one update of neighbours. Comparing reads the words and sounds of the whole catalogue, which would stall
// requests for seconds on the server's event loop.
import { parentPort, workerData } from 'node:worker_threads'
import { connectionConfig } from '../../platform/db/connection-config.ts'
import { withClient } from '../../platform/db/with-client.ts'
import { updateAllNeighbours } from './update-all-neighbours.ts'

const { connectionString } = workerData as { connectionString: string }
const updated = await withClient(connectionConfig(connectionString), updateAllNeighbours)
parentPort?.postMessage(updated)
