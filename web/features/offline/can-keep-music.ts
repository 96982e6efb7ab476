// Whether this browser supports downloads: it needs a secure context and storage.
import { canKeep } from '../../base/offline-store/offline-db.ts'

export const supportsDownloads =
  canKeep && typeof caches !== 'undefined' && 'serviceWorker' in navigator && 'locks' in navigator
