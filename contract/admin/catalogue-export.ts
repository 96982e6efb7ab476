// The whole catalogue as one file.
import { endpoint } from '../endpoint.ts'
import { hour } from '../rate-limit.ts'

export const exportCatalogue = endpoint({
  method: 'GET',
  path: '/api/admin-catalogue/export',
  summary:
    'The whole catalogue as a zip file: recordings as uploaded, pictures, all texts and private notes on origins as JSON, and lists as CSV and M3U. Contains no data of members.',
  access: 'admin',
  needsConfirmation: true,
  audit: { catalogue: ['export'] },
  produces: 'application/zip',
  rateLimit: { name: 'catalogue-export', per: 'account', count: 20, seconds: hour },
})
