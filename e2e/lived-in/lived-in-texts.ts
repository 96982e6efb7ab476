// Texts that tend to break layouts: in every script and length, and with characters that mean something in HTML or CSV.

export const awkwardTitles = [
  'I',
  '?',
  '夜',
  '静かな夜に、雨の音だけが聞こえる長い長い道のりの途中で立ち止まって空を見上げた日のこと',
  '城市夜曲（第二乐章：慢板，献给所有在凌晨三点仍然醒着的人）',
  'ليلة هادئة على شاطئ البحر مع صوت الأمواج البعيدة وأضواء المدينة',
  'שיר ערש לעיר ישנה',
  '🌙✨🎹',
  'Golden Hour 🌅 (feat. 🎷)',
  'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaftslied',
  'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  'The Unbearable Lightness of Waiting for the Last Train Home on a Rainy Tuesday Evening in November, Slow Version, Remastered and Extended for Headphones (feat. Everybody We Have Ever Met)',
  '<b>Not bold</b> & "quoted" — it’s 100 % plain',
  '=SUM(A1:A9)',
  'AC/DC / Ænima / Straße / Łódź / Ísafjörður / Đà Nẵng',
  'e\u0301te\u0301 (decomposed)',
  'Zalgo t̴̢̛e̷͙͐x̶̰̔t̸͕͘',
  'Кукушка под дождём',
  'Ὀδύσσεια',
  'พรุ่งนี้เช้าที่ชายหาด',
] as const

export const longArtist =
  'The Extraordinarily Long-Named Philharmonic Orchestra of the Northern Suburbs with Guests and a Choir'

export const longCategory =
  'Music for the Hour between Supper and Sleep, when the Dishes Are Done and Nobody Calls'

export const longGenre =
  'Neo-Classical Downtempo Post-Ambient Chamber Electronica with Field Recordings'

export const longDescription =
  'A long note that somebody wrote about it, with a web address in it that has no place to break: https://example.com/' +
  'a'.repeat(120) +
  ' and then some more words, so that it takes several lines wherever it is shown in full.'

export const timedLyrics = Array.from(
  { length: 40 },
  (_, line) =>
    `[${String(Math.floor(line / 12)).padStart(2, '0')}:${String((line * 5) % 60).padStart(2, '0')}.00]` +
    ['A line that is sung', '夜の歌', 'سطر من الأغنية', 'And a much longer line that has to wrap'][
      line % 4
    ],
).join('\n')
