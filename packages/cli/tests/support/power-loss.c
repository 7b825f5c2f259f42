/*
 * Loaded into a program with LD_PRELOAD. Keeps in the folder POWER_LOSS_KEPT what a loss of power would leave of the
 * folder POWER_LOSS_FOLDER: of each file, its content at the start of its last successful fsync or fdatasync; of new and
 * changed names, those before the last fsync of their folder. Everything else counts as lost. A file that was renamed
 * without an fsync of its content is empty then, as on ext4 without auto_da_alloc.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { most_names = 1024 };

static int (*real_fsync)(int);
static int (*real_fdatasync)(int);
static int (*real_rename)(const char *, const char *);
static int (*real_link)(const char *, const char *);

static const char *folder, *kept;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* Names that this process has given, and whose folder was not synchronized since. */
static struct {
  char *from, *to;
} names[most_names];
static int name_count;

__attribute__((constructor)) static void begin(void) {
  real_fsync = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
  real_fdatasync = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
  real_rename = (int (*)(const char *, const char *))dlsym(RTLD_NEXT, "rename");
  real_link = (int (*)(const char *, const char *))dlsym(RTLD_NEXT, "link");
  folder = getenv("POWER_LOSS_FOLDER");
  kept = getenv("POWER_LOSS_KEPT");
}

static void fail(const char *what, const char *path) {
  fprintf(stderr, "power-loss: %s %s: %s\n", what, path, strerror(errno));
  abort();
}

/* Where `path`, which has no symbolic links, is kept. NULL: it is in another folder. */
static char *kept_place(const char *path) {
  char *place;
  size_t length;
  if (folder == NULL || kept == NULL) return NULL;
  length = strlen(folder);
  if (strncmp(path, folder, length) != 0 || (path[length] != '/' && path[length] != 0)) return NULL;
  if (asprintf(&place, "%s%s", kept, path + length) < 0) fail("no memory for", path);
  return place;
}

/* The place of a name in a folder that exists. */
static char *kept_name(const char *path) {
  char parent[PATH_MAX], resolved[PATH_MAX], *end, *whole, *place;
  snprintf(parent, sizeof parent, "%s", path);
  end = strrchr(parent, '/');
  if (end == NULL) return NULL;
  *end = 0;
  if (realpath(parent, resolved) == NULL) return NULL;
  if (asprintf(&whole, "%s/%s", resolved, end + 1) < 0) fail("no memory for", path);
  place = kept_place(whole);
  free(whole);
  return place;
}

static void make_parents(char *path) {
  for (char *end = path + 1; (end = strchr(end, '/')) != NULL; end++) {
    *end = 0;
    mkdir(path, 0700);
    *end = '/';
  }
}

static void write_copy(const char *from, const char *path) {
  static char part[1 << 16];
  ssize_t count;
  int source = open(from, O_RDONLY), target = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (source < 0 || target < 0) fail("cannot copy to", path);
  while ((count = read(source, part, sizeof part)) > 0)
    if (write(target, part, count) != count) fail("cannot write", path);
  if (count < 0) fail("cannot read for", path);
  close(source);
  close(target);
}

/* Where the content of a file is kept whose name would be lost. */
static void unnamed(char *result, size_t size, const char *place) {
  snprintf(result, size, "%s.unnamed", place);
}

static void add_name(char *from, char *to) {
  if (name_count == most_names) fail("too many names, such as", to);
  names[name_count].from = from;
  names[name_count++].to = to;
}

/* Gives the files of a folder that was synchronized their names. */
static void keep_names(const char *parent) {
  size_t length = strlen(parent);
  int left = 0;
  for (int each = 0; each < name_count; each++) {
    char *from = names[each].from, *to = names[each].to, without[PATH_MAX + 16];
    if ((size_t)(strrchr(to, '/') - to) != length || strncmp(to, parent, length) != 0) {
      names[left++] = names[each];
      continue;
    }
    make_parents(to);
    unnamed(without, sizeof without, from);
    if (strcmp(from, to) == 0) real_rename(without, to);
    else if (real_rename(from, to) != 0 && real_rename(without, to) != 0) write_copy("/dev/null", to);
    free(from);
    free(to);
  }
  name_count = left;
}

static void keep_content(char *place, const char *draft) {
  char without[PATH_MAX + 16];
  if (access(place, F_OK) == 0) {
    if (real_rename(draft, place) != 0) fail("cannot keep", place);
    return;
  }
  unnamed(without, sizeof without, place);
  if (access(without, F_OK) != 0) add_name(strdup(place), strdup(place));
  if (real_rename(draft, without) != 0) fail("cannot keep", place);
}

static int synchronize(int file, int (*real)(int)) {
  char link[64], path[PATH_MAX], draft[PATH_MAX + 16], *place = NULL;
  struct stat status;
  ssize_t length;
  int result;
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  length = readlink(link, path, sizeof path - 1);
  if (length >= 0 && fstat(file, &status) == 0 && status.st_nlink > 0) {
    path[length] = 0;
    place = kept_place(path);
  }
  if (place == NULL) return real(file);
  pthread_mutex_lock(&lock);
  if (S_ISDIR(status.st_mode)) {
    result = real(file);
    if (result == 0) keep_names(place);
  } else {
    snprintf(draft, sizeof draft, "%s.draft", place);
    make_parents(place);
    write_copy(link, draft);
    result = real(file);
    if (result == 0) keep_content(place, draft);
  }
  pthread_mutex_unlock(&lock);
  free(place);
  return result;
}

int fsync(int file) { return synchronize(file, real_fsync); }

int fdatasync(int file) { return synchronize(file, real_fdatasync); }

static int move(const char *from, const char *to, int (*real)(const char *, const char *)) {
  char *kept_from = kept_name(from), *kept_to = kept_name(to);
  int result;
  pthread_mutex_lock(&lock);
  result = real(from, to);
  if (result == 0 && kept_from != NULL && kept_to != NULL) add_name(kept_from, kept_to);
  pthread_mutex_unlock(&lock);
  return result;
}

int rename(const char *from, const char *to) { return move(from, to, real_rename); }

/* The first name is removed later. */
int link(const char *from, const char *to) { return move(from, to, real_link); }
