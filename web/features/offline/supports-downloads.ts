// Whether this browser supports downloads: it needs a secure context and storage.
import { hasIndexedDb } from '../../base/offline-store/offline-db.ts'

export const supportsDownloads =
  hasIndexedDb &&
  typeof caches !== 'undefined' &&
  'serviceWorker' in navigator &&
  'locks' in navigator
