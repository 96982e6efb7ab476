// For tests: calls of every admin operation that changes something. There is one call for each audit entry declared
// in the contract, and one for each action that only reads.
import type { AuditCase } from './audit-case.ts'
import { businessCases, webhookCases, stripeCases } from './business-cases.ts'
import { catalogueCases, releaseCases } from './catalogue-cases.ts'
import { creatorCases } from './creator-cases.ts'
import { tokenCases, peopleCases, invitationCases, announcementCases } from './people-cases.ts'

export const auditCases: readonly AuditCase[] = [
  ...tokenCases,
  ...catalogueCases,
  ...releaseCases,
  ...peopleCases,
  ...businessCases,
  ...webhookCases,
  ...invitationCases,
  ...announcementCases,
  ...creatorCases,
  ...stripeCases,
]
