// Export of the entire catalogue as one file.
import { endpoint } from '../endpoint.ts'
import { hour } from '../rate-limit.ts'

export const exportCatalogue = endpoint({
  method: 'GET',
  path: '/api/admin-catalogue/export',
  summary:
    'The entire catalogue as a zip file: original recordings, pictures, all texts and private notes on origins as JSON, and lists as CSV and M3U. It contains no member data.',
  access: 'admin',
  needsConfirmation: true,
  audit: { catalogue: ['export'] },
  produces: 'application/zip',
  rateLimit: { name: 'catalogue-export', per: 'account', count: 20, seconds: hour },
})
