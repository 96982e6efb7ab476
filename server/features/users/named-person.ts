// A column with the account that an audit entry or a note refers to, as JSON. The query must join `profiles as who`.
import { sql } from 'kysely'

export const namedPerson = sql<{ id: string; email: string; display_name: string } | null>`
  case when who.id is not null then
    json_build_object('id', who.id, 'email', who.email, 'display_name', who.display_name)
  end`
