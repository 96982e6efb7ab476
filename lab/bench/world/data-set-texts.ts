// SQL expressions that create random titles, names and email addresses.
const vocabulary =
  'velvet harbour midnight river amber ghost paper silver hollow garden winter copper distant lantern morning static cinnamon orbit gravity marble ocean feather neon shadow cedar thunder quiet ember satellite blossom mirror desert violet engine island sugar electric horizon canyon pepper drifting golden broken slow burning sleeping falling endless crystal wooden secret northern summer little heavy wild gentle crimson frozen hidden rolling letters windows avenue station motel radio cassette highway bridges kitchen balcony lighthouse carousel cathedral pocket compass anchor arrow button candle chapel cloud corner dancer diamond doorway dust echo evening fable fever field fire flower forest fountain glass hands heart hill honey house hunter jungle kite ladder lake lemon letter light lily lion machine map meadow melody moon mountain needle night ocean orchard owl painter palace parade pearl petal piano pilot planet poem pony queen rain raven ribbon road rocket rose sailor salt sand sea season signal skyline sleep smoke snow song spark sparrow spring stairs star stone storm story street sun swallow sweater tide tiger timber tower train traveler valley voice wagon water wave whisper wind wolf wonder yellow'.split(
    ' ',
  )

const firstNames =
  'ada ben cleo dario ella finn gina hugo iris jonas kira leo mina noor otto pia quinn rosa sami tara uma victor wanda yara zeno'.split(
    ' ',
  )
const lastNames =
  'abbott becker castillo dubois eriksen fischer gallo haddad ivanova jensen kowalski larsen moreau nakamura okafor petrov quiroga rossi santos tanaka ueda varga weber young zhang'.split(
    ' ',
  )
const domains = 'example.com example.org example.net mail.test post.test'.split(' ')

const array = (list: readonly string[]) => `'{${list.join(',')}}'::text[]`
const one = (list: readonly string[]) => `(${array(list)})[1 + floor(random() * ${list.length})]`

/** Returns an SQL array of the first `count` words. */
export const randomWords = (count: number) => array([...new Set(vocabulary)].slice(0, count))

/** Returns an SQL expression for a text of `least` to `most` random words. */
export function randomChoice(least: number, most: number): string {
  // Pick `most` words, then cut the text to a random number of them.
  const draws = Array.from({ length: most }, () => one(vocabulary)).join(` || ' ' || `)
  if (least === most) return `(${draws})`
  const length = `${least} + floor(random() * ${most - least + 1})::int`
  return `array_to_string((string_to_array(${draws}, ' '))[1:${length}], ' ')`
}

/** Expressions that use the row number `i`. */
export const people = {
  artist: `initcap(${one(vocabulary)}) || case floor(random() * 3)::int when 0 then ' & ' || initcap(${one(firstNames)}) when 1 then ' ' || initcap(${one(lastNames)}) else ' Collective' end`,
  name: `initcap(${one(firstNames)} || ' ' || ${one(lastNames)})`,
  email: `${one(firstNames)} || '.' || ${one(lastNames)} || i || '@' || ${one(domains)}`,
}
