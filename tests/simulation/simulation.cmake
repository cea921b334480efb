# The simulation links the engine and nothing that touches a file, a socket or a thread.
file(GLOB simulation_sources CONFIGURE_DEPENDS simulation/*.cpp simulation/*.h simulation/checkers/*.cpp
  simulation/checkers/*.h)
list(FILTER simulation_sources EXCLUDE REGEX "/(tst_[a-z_]+|simulate)\\.cpp$")

add_library(holdfast_simulation STATIC ${simulation_sources} simulation/simulation.qrc)
target_include_directories(holdfast_simulation PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})
target_link_libraries(holdfast_simulation PUBLIC holdfast_control holdfast_runtime holdfast_store)

add_executable(simulate simulation/simulate.cpp)
target_link_libraries(simulate PRIVATE holdfast_simulation)
# Small objects come and go all day here: a quarter more seeds a minute than with the allocator of libc.
# Sanitizers bring one of their own.
find_library(JEMALLOC jemalloc)
if(JEMALLOC AND NOT HOLDFAST_SANITIZE)
  target_link_libraries(simulate PRIVATE -Wl,--no-as-needed ${JEMALLOC} -Wl,--as-needed)
endif()

add_executable(tst_simulation_simulation simulation/tst_simulation.cpp)
target_link_libraries(tst_simulation_simulation PRIVATE holdfast_simulation Qt6::Test)
add_test(NAME simulation/simulation COMMAND tst_simulation_simulation)

# What it did to memory, done again to the real databases.
add_executable(tst_simulation_stores simulation/tst_stores.cpp)
target_link_libraries(tst_simulation_stores PRIVATE holdfast_simulation holdfast_test_support)
add_test(NAME simulation/stores COMMAND tst_simulation_stores)
set_tests_properties(simulation/stores PROPERTIES TIMEOUT 7200)

# The same against a copy of the engine that has bugs in it.
include(simulation/planted/planted.cmake)
add_library(planted_simulation OBJECT ${simulation_sources} simulation/simulation.qrc)
target_include_directories(planted_simulation PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})
target_link_libraries(planted_simulation PUBLIC holdfast_control)
add_executable(tst_simulation_planted simulation/tst_planted.cpp)
target_link_libraries(tst_simulation_planted PRIVATE planted_simulation planted_engine planted_runtime
  planted_store holdfast_control Qt6::Test)
add_dependencies(tst_simulation_planted simulate)
add_test(NAME simulation/planted COMMAND tst_simulation_planted)
set_tests_properties(simulation/simulation simulation/planted PROPERTIES
  ENVIRONMENT "QT_QPA_PLATFORM=offscreen;SIMULATE=$<TARGET_FILE:simulate>" TIMEOUT 900)
