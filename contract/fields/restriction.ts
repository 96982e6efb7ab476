// Why only Premium members have something now. The player validates it in an error of the server.
import * as z from 'zod/mini'

/** Details of `premium_required`. */
export const restriction = z.discriminatedUnion('reason', [
  z.object({ reason: z.literal('premium_only') }),
  z.object({ reason: z.literal('early_access'), until: z.string() }),
])
export type Restriction = z.infer<typeof restriction>
