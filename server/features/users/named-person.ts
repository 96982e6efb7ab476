// The account that an entry or a note names, as one JSON column from the joined profile `who`.
import { sql } from 'kysely'

export const namedPerson = sql<{ id: string; email: string; display_name: string } | null>`
  case when who.id is not null then
    json_build_object('id', who.id, 'email', who.email, 'display_name', who.display_name)
  end`
