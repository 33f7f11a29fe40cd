// The C++ half of torch-sys reads and writes the program's streams by functions of its Rust half,
// which are in the program: the program hands their addresses over when it opens this library.

#include <cstddef>
#include <cstdint>

namespace {
struct Streams {
  void (*write_destructor)(void *);
  bool (*write)(void *, const uint8_t *, size_t, size_t *);
  void (*read_destructor)(void *);
  bool (*position)(void *, uint64_t *);
  bool (*seek_start)(void *, uint64_t, uint64_t *);
  bool (*seek_end)(void *, int64_t, uint64_t *);
  bool (*read)(void *, uint8_t *, size_t, size_t *);
};
Streams streams;
} // namespace

extern "C" {
void ivy_torch_streams(const Streams *of_program) { streams = *of_program; }

bool tch_write_stream_destructor(void *stream) {
  streams.write_destructor(stream);
  return true;
}
bool tch_write_stream_write(void *stream, const uint8_t *from, size_t size, size_t *written) {
  return streams.write(stream, from, size, written);
}
bool tch_read_stream_destructor(void *stream) {
  streams.read_destructor(stream);
  return true;
}
bool tch_read_stream_stream_position(void *stream, uint64_t *position) {
  return streams.position(stream, position);
}
bool tch_read_stream_seek_start(void *stream, uint64_t position, uint64_t *reached) {
  return streams.seek_start(stream, position, reached);
}
bool tch_read_stream_seek_end(void *stream, int64_t position, uint64_t *reached) {
  return streams.seek_end(stream, position, reached);
}
bool tch_read_stream_read(void *stream, uint8_t *to, size_t size, size_t *got) {
  return streams.read(stream, to, size, got);
}
}
