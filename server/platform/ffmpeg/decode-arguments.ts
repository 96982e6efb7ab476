// The ffmpeg arguments that open an untrusted file and decode it. Analysis and encoding share them, so that the
// measured signal is the one that is played.
import type { AudioFormat, AudioHeader } from './audio-header.ts'

/** The properties of a file that decoding needs. The header contains them. */
export type AudioSource = { path: string } & Pick<AudioHeader, 'format' | 'channels' | 'sampleRate'>

const demuxers: Record<AudioFormat, string> = {
  mp3: 'mp3',
  wav: 'wav',
  flac: 'flac',
  mp4: 'mov',
  aac: 'aac',
  ogg: 'ogg',
  aiff: 'aiff',
}

/** Only audio is decoded. A cover inside the file is never passed to a picture decoder. */
const decoders = [
  'mp3float,mp3,mp2float,mp2,flac,alac,aac,vorbis,opus,libopus,pcm_alaw,pcm_mulaw',
  'pcm_u8,pcm_s8,pcm_s16le,pcm_s16be,pcm_s24le,pcm_s24be,pcm_s32le,pcm_s32be',
  'pcm_f32le,pcm_f32be,pcm_f64le,pcm_f64be',
].join(',')

/** The demuxer is given explicitly, which excludes playlists and other formats that would open further files. */
export function buildInputArguments({ path, format }: AudioSource): string[] {
  return [
    ['-protocol_whitelist', 'file,pipe'],
    ['-codec_whitelist', decoders],
    ['-f', demuxers[format]],
    ['-i', path],
  ].flat()
}

/** Returns 44.1 kHz for its multiples and fractions, and 48 kHz for all other rates. */
export function chooseSampleRate({ sampleRate }: Pick<AudioSource, 'sampleRate'>): 44_100 | 48_000 {
  return sampleRate % 11_025 === 0 ? 44_100 : 48_000
}

/** Returns filters that convert any source to stereo at its output rate, without changing the level. */
export function buildStereoFilters(source: AudioSource): string[] {
  const rate = chooseSampleRate(source)
  const stereo = `aformat=sample_fmts=fltp:sample_rates=${rate}:channel_layouts=stereo`
  // ffmpeg halves the power of mono when it converts it to two channels, so restore it.
  return source.channels === 1 ? [stereo, 'volume=3.0103dB:precision=float'] : [stereo]
}
