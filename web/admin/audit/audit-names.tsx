// Shows who made an audited change (the actor) and what was changed (the entity), by name.
import type { AuditEntry } from '#contract/admin/admin-audit.ts'
import { EntityLink } from '../shared/entity-link.tsx'
import { PersonLink } from '../shared/person-link.tsx'

interface AuditNameProps {
  entry: AuditEntry
}

export function AuditActorName({ entry }: AuditNameProps) {
  const { actor_id, actor_email, actor_name, token_name } = entry
  if (actor_id === null) return 'System'
  if (actor_email === null) return 'Deleted account'
  return (
    <>
      <PersonLink id={actor_id} email={actor_email} name={actor_name} />
      {token_name !== null && ` by token “${token_name}”`}
    </>
  )
}

export function AuditSubjectName({ entry }: AuditNameProps) {
  const { entity, entity_key, entity_name } = entry
  if (entity_name === null) return null
  return <EntityLink entity={entity} entityKey={entity_key} name={entity_name} />
}
